/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants, handles, statuses and functions of its own that a program gives to MPI and gets from it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, #x);                                                  \
            MPI_Abort(MPI_COMM_WORLD, 7);                                                                    \
        }                                                                                                    \
    } while (0)
static void sum(void *a, void *b, int *n, MPI_Datatype *t) {
    int s;
    MPI_Type_size(*t, &s);
    CHECK(*t == MPI_INT && s == 4);
    for (int i = 0; i < *n; i++)
        ((int *)b)[i] += ((int *)a)[i];
}
static int handled;
static void eh(MPI_Comm *c, int *code, ...) {
    int cl;
    MPI_Error_class(*code, &cl);
    CHECK(cl == MPI_ERR_RANK);
    handled++;
}
int main(int argc, char **argv) {
    int r, n, x, y, src, dst, flag, cl;
    MPI_Status st, sts[4];
    MPI_Request q[4];
    MPI_Comm c, d;
    MPI_Group g, h;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    /* status: PROC_NULL, MPI_ERROR untouched */
    st.MPI_ERROR = 12345;
    MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &st);
    CHECK(st.MPI_SOURCE == MPI_PROC_NULL && st.MPI_TAG == MPI_ANY_TAG && st.MPI_ERROR == 12345);
    MPI_Get_count(&st, MPI_INT, &x);
    CHECK(x == 0);
    /* cart border */
    int dims[1] = {n}, per[1] = {0};
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, per, 0, &c);
    MPI_Cart_shift(c, 0, 1, &src, &dst);
    CHECK((r == 0) == (src == MPI_PROC_NULL));
    CHECK((r == n - 1) == (dst == MPI_PROC_NULL));
    MPI_Topo_test(c, &x);
    CHECK(x == MPI_CART);
    y = -1;
    MPI_Sendrecv(&r, 1, MPI_INT, dst, 1, &y, 1, MPI_INT, src, 1, c, &st);
    CHECK(y == (r ? r - 1 : -1));
    MPI_Comm_compare(MPI_COMM_WORLD, c, &x);
    CHECK(x == MPI_CONGRUENT);
    MPI_Comm_free(&c);
    CHECK(c == MPI_COMM_NULL);
    /* groups */
    MPI_Comm_group(MPI_COMM_WORLD, &g);
    int one[1] = {0};
    MPI_Group_incl(g, 1, one, &h);
    int a[3] = {0, MPI_PROC_NULL, n - 1}, b[3];
    MPI_Group_translate_ranks(g, 3, a, h, b);
    CHECK(b[0] == 0 && b[1] == MPI_PROC_NULL && b[2] == (n > 1 ? MPI_UNDEFINED : 0));
    MPI_Group_free(&h);
    MPI_Group_free(&g);
    /* types */
    MPI_Datatype t, u, types[4];
    int ni, na, nd, co;
    int bl[2] = {1, 2};
    MPI_Aint di[2] = {0, 8};
    MPI_Datatype ts[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, bl, di, ts, &t);
    MPI_Type_commit(&t);
    MPI_Type_get_envelope(t, &ni, &na, &nd, &co);
    CHECK(co == MPI_COMBINER_STRUCT && nd == 2);
    int ci[8];
    MPI_Aint ca[8];
    MPI_Type_get_contents(t, ni, na, nd, ci, ca, types);
    CHECK(types[0] == MPI_INT && types[1] == MPI_DOUBLE);
    MPI_Type_dup(MPI_INT, &u);
    MPI_Type_get_envelope(u, &ni, &na, &nd, &co);
    CHECK(co == MPI_COMBINER_DUP);
    MPI_Type_free(&u);
    MPI_Type_get_envelope(MPI_DOUBLE, &ni, &na, &nd, &co);
    CHECK(co == MPI_COMBINER_NAMED);
    int gs[2] = {4, 4}, ss[2] = {2, 2}, s0[2] = {0, 0};
    MPI_Type_create_subarray(2, gs, ss, s0, MPI_ORDER_FORTRAN, MPI_INT, &u);
    MPI_Type_get_envelope(u, &ni, &na, &nd, &co);
    CHECK(co == MPI_COMBINER_SUBARRAY);
    MPI_Type_get_contents(u, ni, na, nd, ci, ca, types);
    CHECK(ci[ni - 1] == MPI_ORDER_FORTRAN);
    MPI_Type_free(&u);
    MPI_Type_free(&t);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &t);
    MPI_Type_size(t, &x);
    CHECK(x == 8);
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Type_get_name(MPI_INT, name, &x);
    CHECK(!strcmp(name, "MPI_INT") && x == 7);
    /* op */
    MPI_Op op;
    MPI_Op_create(sum, 1, &op);
    MPI_Allreduce(&r, &x, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(x == n * (n - 1) / 2);
    MPI_Op_commutative(op, &flag);
    CHECK(flag);
    MPI_Op_free(&op);
    CHECK(op == MPI_OP_NULL);
    x = r;
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(x == n - 1);
    /* requests */
    for (int i = 0; i < 4; i++)
        q[i] = MPI_REQUEST_NULL;
    MPI_Waitany(4, q, &x, &st);
    CHECK(x == MPI_UNDEFINED && st.MPI_SOURCE == MPI_ANY_SOURCE && st.MPI_TAG == MPI_ANY_TAG);
    int idx[4];
    MPI_Testsome(4, q, &x, idx, sts);
    CHECK(x == MPI_UNDEFINED);
    MPI_Testall(4, q, &flag, sts);
    CHECK(flag);
    int in = -1;
    MPI_Irecv(&in, 1, MPI_INT, (r + n - 1) % n, 5, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(&r, 1, MPI_INT, (r + 1) % n, 5, MPI_COMM_WORLD, &q[2]);
    MPI_Waitall(4, q, sts);
    CHECK(in == (r + n - 1) % n && sts[0].MPI_SOURCE == in && q[0] == MPI_REQUEST_NULL);
    MPI_Get_count(&sts[0], MPI_INT, &x);
    CHECK(x == 1);
    MPI_Get_elements(&sts[0], MPI_INT, &x);
    CHECK(x == 1);
    MPI_Test_cancelled(&sts[0], &flag);
    CHECK(!flag);
    /* dist graph */
    int s1[1] = {(r + n - 1) % n}, d1[1] = {(r + 1) % n};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, s1, MPI_UNWEIGHTED, 1, d1, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &c);
    MPI_Topo_test(c, &x);
    CHECK(x == MPI_DIST_GRAPH);
    int so[1], de[1];
    MPI_Dist_graph_neighbors(c, 1, so, MPI_UNWEIGHTED, 1, de, MPI_UNWEIGHTED);
    CHECK(so[0] == s1[0] && de[0] == d1[0]);
    int cnt[1] = {1};
    MPI_Aint dd[1] = {0};
    MPI_Datatype nt[1] = {MPI_INT};
    in = -1;
    MPI_Neighbor_alltoallw(&r, cnt, dd, nt, &in, cnt, dd, nt, c);
    CHECK(in == s1[0]);
    in = -1;
    MPI_Ineighbor_alltoallw(&r, cnt, dd, nt, &in, cnt, dd, nt, c, &q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    CHECK(in == s1[0]);
    MPI_Comm_free(&c);
    /* intercomm with ROOT */
    MPI_Comm_split(MPI_COMM_WORLD, r % 2, r, &c);
    MPI_Intercomm_create(c, 0, MPI_COMM_WORLD, r % 2 ? 0 : 1, 9, &d);
    x = r % 2 ? -1 : 42;
    MPI_Bcast(&x, 1, MPI_INT, r % 2 ? 0 : (r == 0 ? MPI_ROOT : MPI_PROC_NULL), d);
    CHECK(x == 42);
    MPI_Comm_test_inter(d, &flag);
    CHECK(flag);
    MPI_Comm_free(&d);
    MPI_Comm_free(&c);
    MPI_Comm_split(MPI_COMM_WORLD, r ? MPI_UNDEFINED : 0, 0, &c);
    CHECK((c == MPI_COMM_NULL) == (r != 0));
    if (!r)
        MPI_Comm_free(&c);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c);
    MPI_Comm_size(c, &x);
    CHECK(x == n);
    MPI_Comm_free(&c);
    /* attributes */
    int *v;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &v, &flag);
    CHECK(flag && *v >= 32767);
    /* window */
    int *base;
    MPI_Win w;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &w);
    MPI_Win_get_attr(w, MPI_WIN_CREATE_FLAVOR, &v, &flag);
    CHECK(flag && *v == MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_get_attr(w, MPI_WIN_MODEL, &v, &flag);
    CHECK(*v == MPI_WIN_UNIFIED || *v == MPI_WIN_SEPARATE);
    *base = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, w);
    MPI_Put(&r, 1, MPI_INT, (r + 1) % n, 0, 1, MPI_INT, w);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, w);
    CHECK(*base == (r + n - 1) % n);
    MPI_Win_free(&w);
    CHECK(w == MPI_WIN_NULL);
    /* names longer than Open MPI's */
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    char guard[MPI_MAX_OBJECT_NAME + 8];
    memset(guard, 'z', sizeof guard);
    MPI_Comm_set_name(
        c, "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890");
    MPI_Comm_get_name(c, guard, &x);
    CHECK(x == (91 < MPI_MAX_OBJECT_NAME - 1 ? 91 : MPI_MAX_OBJECT_NAME - 1) &&
          guard[MPI_MAX_OBJECT_NAME] == 'z');
    /* error handlers and codes made by the program */
    int ec, cc;
    MPI_Add_error_class(&ec);
    MPI_Add_error_code(ec, &cc);
    MPI_Add_error_string(cc, "mine");
    char es[MPI_MAX_ERROR_STRING];
    MPI_Error_string(cc, es, &x);
    CHECK(!strcmp(es, "mine"));
    MPI_Error_class(cc, &cl);
    CHECK(cl == ec);
    MPI_Errhandler e;
    MPI_Comm_create_errhandler(eh, &e);
    MPI_Comm_set_errhandler(c, e);
    MPI_Comm_call_errhandler(c, MPI_ERR_RANK);
    CHECK(handled == 1);
    MPI_Errhandler_free(&e);
    MPI_Comm_free(&c);
    MPI_Info inf;
    char val[32];
    MPI_Info_create(&inf);
    MPI_Info_set(inf, "k", "v");
    MPI_Info_get(inf, "k", 31, val, &flag);
    CHECK(flag && !strcmp(val, "v"));
    char key[MPI_MAX_INFO_KEY];
    MPI_Info_get_nthkey(inf, 0, key);
    CHECK(!strcmp(key, "k"));
    MPI_Info_free(&inf);
    CHECK(inf == MPI_INFO_NULL);
    /* matched probes, MPI_ANY_SOURCE in them, and what the handle is afterwards */
    MPI_Message msg;
    MPI_Isend(&r, 1, MPI_INT, r, 4, MPI_COMM_WORLD, &q[0]);
    MPI_Mprobe(r, 4, MPI_COMM_WORLD, &msg, &st);
    CHECK(msg != MPI_MESSAGE_NULL && msg != MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&x, 1, MPI_INT, &msg, &st);
    CHECK(msg == MPI_MESSAGE_NULL && x == r);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    CHECK(q[0] == MPI_REQUEST_NULL);
    MPI_Mprobe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &msg, &st);
    CHECK(msg == MPI_MESSAGE_NO_PROC && st.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mrecv(&x, 1, MPI_INT, &msg, &st);
    CHECK(msg == MPI_MESSAGE_NULL);
    MPI_Improbe(r, 5, MPI_COMM_WORLD, &flag, &msg, &st);
    CHECK(!flag);
    /* the same version in mpi.h and in the library (MPI-3.1, section 8.1.1) */
    MPI_Get_version(&x, &y);
#ifdef MPI_ABI_VERSION /* what is linked with it at run time may be of another version */
    CHECK(x >= 4 && x <= MPI_VERSION);
#else
    CHECK(x == MPI_VERSION && y == MPI_SUBVERSION);
#endif
    MPI_Type_size(MPI_CXX_FLOAT_COMPLEX, &x);
    CHECK(x == 8);
    if (!r)
        puts("all");
    MPI_Finalize();
    return 0;
}

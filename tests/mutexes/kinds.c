/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of rank 0 each send under a mutex of the kind that is named, with the same tag: which comes
 * first is not defined (MPI-4.0, 3.5), and isp runs one order. Without arguments: the kinds. */
#include <fcntl.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static sem_t begun, *semaphore = &begun;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static struct timespec later(clockid_t clock)
{
    struct timespec until;
    clock_gettime(clock, &until);
    until.tv_sec += 3600;
    return until;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* ---- how it is got, and given back ---- */

#define KIND(name, get, give)             \
    static void name##_get(void) { get; } \
    static void name##_give(void) { give; }
#define UNTIL(clock) \
    (struct timespec[]) { later(clock) }
#define BY_CLOCK CLOCK_MONOTONIC, UNTIL(CLOCK_MONOTONIC)
#define TRY(what) \
    while (what)  \
    nap()

KIND(none, (void)0, (void)0)
KIND(mutex_lock, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex))
KIND(mutex_trylock, TRY(pthread_mutex_trylock(&mutex)), pthread_mutex_unlock(&mutex))
KIND(mutex_timedlock, pthread_mutex_timedlock(&mutex, UNTIL(CLOCK_REALTIME)), pthread_mutex_unlock(&mutex))
KIND(mutex_clocklock, pthread_mutex_clocklock(&mutex, BY_CLOCK), pthread_mutex_unlock(&mutex))
KIND(mtx_lock, mtx_lock(&c11), mtx_unlock(&c11))
KIND(mtx_trylock, TRY(mtx_trylock(&c11) != thrd_success), mtx_unlock(&c11))
KIND(mtx_timedlock, mtx_timedlock(&c11, UNTIL(CLOCK_REALTIME)), mtx_unlock(&c11))
KIND(wrlock, pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock))
KIND(trywrlock, TRY(pthread_rwlock_trywrlock(&rwlock)), pthread_rwlock_unlock(&rwlock))
KIND(timedwrlock, pthread_rwlock_timedwrlock(&rwlock, UNTIL(CLOCK_REALTIME)), pthread_rwlock_unlock(&rwlock))
KIND(clockwrlock, pthread_rwlock_clockwrlock(&rwlock, BY_CLOCK), pthread_rwlock_unlock(&rwlock))
KIND(spin_lock, pthread_spin_lock(&spin), pthread_spin_unlock(&spin))
KIND(spin_trylock, TRY(pthread_spin_trylock(&spin)), pthread_spin_unlock(&spin))
KIND(sem_wait, sem_wait(semaphore), sem_post(semaphore))
KIND(sem_trywait, TRY(sem_trywait(semaphore)), sem_post(semaphore))
KIND(sem_timedwait, sem_timedwait(semaphore, UNTIL(CLOCK_REALTIME)), sem_post(semaphore))
KIND(sem_clockwait, sem_clockwait(semaphore, BY_CLOCK), sem_post(semaphore))
KIND(omp_set_lock, omp_set_lock(&lock), omp_unset_lock(&lock))
KIND(omp_test_lock, TRY(!omp_test_lock(&lock)), omp_unset_lock(&lock))
KIND(omp_set_nest_lock, omp_set_nest_lock(&nest), omp_unset_nest_lock(&nest))
KIND(omp_test_nest_lock, TRY(!omp_test_nest_lock(&nest)), omp_unset_nest_lock(&nest))

/* clang-format off */
#define ROW(name) {#name, name##_get, name##_give, 1}
#define POSTED(name) {#name "_posted", name##_get, name##_give, 0}
/* clang-format on */
static const struct kind {
    const char *name;
    void (*get)(void), (*give)(void);
    unsigned begins; /* semaphores */
} kinds[] = {
    ROW(none),
    /* clang-format off */
    ROW(mutex_lock), ROW(mutex_trylock), ROW(mutex_timedlock), ROW(mutex_clocklock),
    ROW(mtx_lock), ROW(mtx_trylock), ROW(mtx_timedlock),
    ROW(wrlock), ROW(trywrlock), ROW(timedwrlock), ROW(clockwrlock),
    ROW(spin_lock), ROW(spin_trylock),
    ROW(sem_wait), ROW(sem_trywait), ROW(sem_timedwait), ROW(sem_clockwait),
    POSTED(sem_wait), POSTED(sem_trywait), POSTED(sem_timedwait), POSTED(sem_clockwait),
    {"sem_open", sem_wait_get, sem_wait_give, 1}, {"sem_open_posted", sem_wait_get, sem_wait_give, 0},
    ROW(omp_set_lock), ROW(omp_test_lock), ROW(omp_set_nest_lock), ROW(omp_test_nest_lock),
    /* clang-format on */
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind;

static void *send(void *number)
{
    kind->get();
    MPI_Send(number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    kind->give();
    return NULL;
}

static void prepare(void)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    mtx_init(&c11, mtx_timed);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    if (strncmp(kind->name, "sem_open", strlen("sem_open")) == 0) {
        char name[64];
        snprintf(name, sizeof name, "/isp-kinds-%d", (int)getpid());
        sem_unlink(name);
        semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, kind->begins);
        sem_unlink(name);
    } else {
        sem_init(semaphore, 0, kind->begins);
    }
    if (!kind->begins)
        sem_post(semaphore);
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2};
    pthread_t thread;
    if (argc < 2) {
        for (int i = 0; i < KINDS; i++)
            puts(kinds[i].name);
        return 0;
    }
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, argv[1]) == 0)
            kind = &kinds[i];
    if (!kind)
        return 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        prepare();
        pthread_create(&thread, NULL, send, &numbers[1]);
        send(&numbers[0]);
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&numbers[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

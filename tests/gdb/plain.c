/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of it are found by the words behind "@". */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "stand_in.h"

struct node {
    int key;
    double weight;
    struct node *next;
    int many[4];
};

struct node head = {7, 2.5, NULL, {1, 2, 3, 4}};
int counter;

static void add(int a, int b, int *result)
{
    int sum = a + b; /* @sum */
    *result = sum;   /* @store */
} /* @added */

static int square(int n)
{
    int result = n * n; /* @square */
    return result;      /* @squared */
} /* @end of square */

static int spin(int n)
{
    int turns = 0;
    for (int i = 0; i < n; i++) /* @loop */
        turns += i;             /* @body */
    return turns;               /* @after */
}

static void fail(int how)
{
    if (how == 1)
        memset((void *)(long)how, 0, 100000); /* @memset */
    if (how == 2)
        assert(how == 3); /* @assert */
    if (how == 3)
        raise(SIGTRAP); /* @trap */
    if (how == 4)
        abort(); /* @abort */
    if (how == 5)
        for (;;) /* @forever */
            counter++;
    if (how == 6)
        exit(5);
}

int main(void)
{
    int value = 0, how = 0;
    struct node *list = &head;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    MPI_Recv(&value);                  /* @first */
    counter = value;                   /* @counter */
    MPI_Send(&value);                  /* @send */
    QMPI_Hint(&value);                 /* @hint */
    value = MPI_Reduce(value, 1, add); /* @reduce */
    value += square(value);            /* @call */
    value += spin(3) + square(2);      /* @two */
    list->key = value;                 /* @key */
    MPI_Recv(&how);                    /* @second */
    fail(how);                         /* @fail */
    return counter == 0;               /* @last */
}

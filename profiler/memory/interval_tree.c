/* SPDX-License-Identifier: BSD-3-Clause */
/* See interval_tree.h. Nodes with one low are told apart by their addresses. */
#include "interval_tree.h"

#include <stddef.h>

static uint32_t next_priority(void)
{
    static uint32_t x = 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

static void update(struct prof_interval *n)
{
    n->highest = n->high;
    if (n->left && n->left->highest > n->highest)
        n->highest = n->left->highest;
    if (n->right && n->right->highest > n->highest)
        n->highest = n->right->highest;
}

static bool before(const struct prof_interval *a, const struct prof_interval *b)
{
    return a->low != b->low ? a->low < b->low : (uintptr_t)a < (uintptr_t)b;
}

/* Those before `at`, and the others. */
static void split(struct prof_interval *tree, const struct prof_interval *at, struct prof_interval **left,
                  struct prof_interval **right)
{
    if (!tree) {
        *left = *right = NULL;
    } else if (before(tree, at)) {
        split(tree->right, at, &tree->right, right);
        *left = tree;
        update(tree);
    } else {
        split(tree->left, at, left, &tree->left);
        *right = tree;
        update(tree);
    }
}

static struct prof_interval *join(struct prof_interval *left, struct prof_interval *right)
{
    if (!left || !right)
        return left ? left : right;
    if (left->priority > right->priority) {
        left->right = join(left->right, right);
        update(left);
        return left;
    }
    right->left = join(left, right->left);
    update(right);
    return right;
}

void prof_interval_insert(struct prof_interval **root, struct prof_interval *node)
{
    struct prof_interval **at = root;
    node->priority = next_priority();
    while (*at && (*at)->priority >= node->priority) {
        if ((*at)->highest < node->high)
            (*at)->highest = node->high;
        at = before(node, *at) ? &(*at)->left : &(*at)->right;
    }
    split(*at, node, &node->left, &node->right);
    update(node);
    *at = node;
}

static struct prof_interval *without(struct prof_interval *tree, const struct prof_interval *node)
{
    if (tree == node)
        return join(tree->left, tree->right);
    if (before(node, tree))
        tree->left = without(tree->left, node);
    else
        tree->right = without(tree->right, node);
    update(tree);
    return tree;
}

void prof_interval_remove(struct prof_interval **root, struct prof_interval *node)
{
    *root = without(*root, node);
}

bool prof_interval_each(struct prof_interval *root, uintptr_t low, uintptr_t high, prof_interval_see *see,
                        void *context)
{
    if (!root || root->highest <= low)
        return true;
    if (!prof_interval_each(root->left, low, high, see, context))
        return false;
    if (root->low < high && root->high > low && !see(context, root))
        return false;
    return root->low >= high || prof_interval_each(root->right, low, high, see, context);
}

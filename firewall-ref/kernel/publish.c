/* SPDX-License-Identifier: BSD-2-Clause */
/* A policy becomes the one in force: everything is written to the slot that no
 * packet looks at, then one store switches. Replacing an inner map waits for the
 * programs that may still read the old one. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/kernel/kernel_path.h"
#include "fwref.skel.h"

/* One array of the compiled rules. */
struct array {
	const char *name;
	const struct bpf_map *outer;
	const void *elements;
	uint32_t count;
	uint32_t size; /* of an element, bytes */
};

/* Writes count elements from index first on. */
static int elements_write(int fd, uint32_t first, const void *elements, uint32_t count)
{
	OWN_MEM uint32_t *index = malloc((count ? count : 1) * sizeof(*index));
	uint32_t done = count;

	if (!count)
		return 0;
	if (!index)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		index[i] = first + i;
	return bpf_map_update_batch(fd, index, elements, &done, NULL) ? -errno : 0;
}

static int array_publish(const struct array *array, uint32_t slot)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_INNER_MAP);
	OWN_FD int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, array->name, sizeof(uint32_t),
					  array->size, array->count ? array->count : 1, &options);
	int error;

	if (inner < 0)
		return -errno;
	error = elements_write(inner, 0, array->elements, array->count);
	if (error)
		return error;
	return bpf_map_update_elem(bpf_map__fd(array->outer), &slot, &inner, 0) ? -errno : 0;
}

static int rules_publish(struct path *path, const struct compiled *rules, uint32_t slot)
{
	struct fwref_bpf *s = path->skeleton;
	const struct array arrays[] = {
		{ "filters", s->maps.rules_filters, rules->filters, rules->head.filters,
		  sizeof(*rules->filters) },
		{ "blocks", s->maps.rules_blocks, rules->blocks, rules->block_count,
		  sizeof(*rules->blocks) },
		{ "rest", s->maps.rules_rests, rules->rest, rules->rest_count,
		  sizeof(*rules->rest) },
		{ "tuples", s->maps.rules_tuples, rules->tuples, rules->tuple_count,
		  sizeof(*rules->tuples) },
		{ "slots", s->maps.rules_slots, rules->slots, rules->head.slots,
		  sizeof(*rules->slots) },
	};

	for (size_t i = 0; i < ARRAY_LEN(arrays); i++) {
		int error = array_publish(&arrays[i], slot);

		if (error)
			return log_err(error, "kernel path: publishing the rules' %s (%u): %s",
				       arrays[i].name, arrays[i].count, strerror(-error));
	}
	return 0;
}

/* Buckets and counters of the slot start from zero. */
static int state_clear(struct path *path, uint32_t slot, uint32_t filters)
{
	size_t count_bytes = sizeof(struct filter_count) * path->cpus;
	uint32_t first = slot * path->filter_capacity;
	OWN_MEM void *zero = calloc(filters ? filters : 1, count_bytes);
	int error;

	_Static_assert(sizeof(struct bucket) <= sizeof(struct filter_count), "zero serves both");
	if (!zero)
		return -ENOMEM;
	error = elements_write(bpf_map__fd(path->skeleton->maps.buckets), first, zero, filters);
	if (error)
		return error;
	return elements_write(bpf_map__fd(path->skeleton->maps.filter_counts), first, zero, filters);
}

int kernel_path_publish(struct path *path, const struct setting *setting,
			const struct compiled *rules)
{
	uint32_t slot = path->skeleton->data->active_slot == 0 ? 1 : 0;
	struct setting copy = *setting;
	int error = 0;

	if (rules && rules->head.filters > path->filter_capacity)
		return log_err(-E2BIG, "%u rules: there is room for %u until fwref is started anew",
			       rules->head.filters, path->filter_capacity);
	if (rules) {
		copy.rules = rules->head;
		error = rules_publish(path, rules, slot);
		if (error)
			return error;
		error = state_clear(path, slot, rules->head.filters);
	}
	copy.generation = path->generation + 1 ? path->generation + 1 : 1;
	if (!error && bpf_map_update_elem(bpf_map__fd(path->skeleton->maps.settings), &slot, &copy, 0))
		error = -errno;
	if (error)
		return log_err(error, "kernel path: publishing the policy: %s", strerror(-error));
	path->generation = copy.generation;
	__atomic_store_n(&path->skeleton->data->active_slot, slot, __ATOMIC_RELEASE);
	return 0;
}

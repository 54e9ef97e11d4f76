/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/workload/workload.h"

#include <string.h>

#include "common/own.h"

static const struct workload *const workloads[] = { &workload_stream };

const struct workload *workload_at(size_t i)
{
	return i < ARRAY_LEN(workloads) ? workloads[i] : NULL;
}

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(workloads); i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}

const struct workload *workload_of_id(uint8_t id)
{
	for (size_t i = 0; i < ARRAY_LEN(workloads); i++)
		if (workloads[i]->id == id)
			return workloads[i];
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/probe/features.h"
#include "harness/probe/machine.h"
#include "harness/probe/probe.h"

static json_t *doctor_row(const struct feature *feature, struct trial_ground *ground)
{
	bool there;

	ground->why[0] = '\0';
	there = feature->there(ground);
	return json_pack("{s:s, s:b, s:o, s:o, s:s}", "name", feature->name, "ok", there, "why",
			 machine_text(*ground->why ? ground->why : NULL), "way_out",
			 machine_text(there ? NULL : feature->way_out), "needed_for",
			 feature->needed_for);
}

json_t *doctor_read(const struct lab_host *host)
{
	struct trial_ground ground = { .host = host, .netns_fd = -1 };
	OWN_FD int netns = host->namespaces ? namespace_make(NULL) : -1;
	json_t *rows = json_array();

	ground.netns_fd = netns;
	for (size_t i = 0; i < feature_count; i++)
		json_array_append_new(rows, doctor_row(&feature_table[i], &ground));
	return rows;
}

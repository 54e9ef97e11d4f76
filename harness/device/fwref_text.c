/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/device/fwref_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The rate in the largest unit that keeps it whole. */
static void text_rate(FILE *out, uint64_t bps)
{
	static const struct {
		uint64_t factor;
		const char *unit;
	} units[] = { { 1000000000, "Gbit" }, { 1000000, "Mbit" }, { 1000, "kbit" }, { 1, "bit" } };
	size_t i = 0;

	while (bps % units[i].factor)
		i++;
	fprintf(out, " limit %" PRIu64 "%s", bps / units[i].factor, units[i].unit);
}

static void text_filters(FILE *out, const struct policy *p)
{
	char address[ADDRESS_TEXT_BYTES];

	for (uint32_t i = 0; i < p->filter_count; i++) {
		fprintf(out, "permit ip between %s and any",
			address_print(address, sizeof(address), &p->filters[i].client));
		if (p->limit_bps)
			text_rate(out, p->limit_bps);
		if (p->limit_bps)
			fprintf(out, " burst %" PRIu64 "B", p->burst_bytes);
		fprintf(out, "\n");
	}
}

char *fwref_text(const struct policy *p, enum classifier classifier)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	char inside[ADDRESS_TEXT_BYTES];
	int bad;

	if (!out)
		return NULL;
	fprintf(out, "classifier %s\n", classifier == CLASSIFIER_LINEAR ? "linear" : "tuple");
	fprintf(out, "inspect tcp %s\n", p->inspect == INSPECT_TCP ? "on" : "off");
	if (p->nat)
		fprintf(out, "nat %s to interface\n",
			prefix_print(inside, sizeof(inside), &p->inside));
	fprintf(out, "flow-table %u\n", p->flow_table_size);
	if (p->filter_count)
		text_filters(out, p);
	else
		fprintf(out, "permit ip from any to any\n");
	bad = ferror(out);
	if (fclose(out) || bad) {
		free(text);
		return NULL;
	}
	return text;
}

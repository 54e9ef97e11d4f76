/* SPDX-License-Identifier: BSD-2-Clause */
/* The abstract policy as nft rules.
 *
 * Best form: replies and known flows are accepted by the first rule when
 * inspection is on; all addresses stand in one set of declared size (a plain
 * hash); per-filter limits are named objects found by one map look-up. Linear:
 * a pair of rules a filter, in the policy's order, as published firewalls did.
 *
 * With inspection off every packet is searched, also one whose translation is
 * known, so no rule accepts by state then; without NAT no rule names ct at all,
 * and conntrack never comes into the namespace (better than notrack, which
 * costs a hook). Limits come before the accept by state: they count every
 * packet of a filter, both directions in one object. */
#include "harness/device/nftables_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/own.h"
#include "harness/lab/lab.h"

bool nftables_tracks(const struct policy *policy)
{
	return policy->nat || policy->inspect == INSPECT_TCP;
}

static const char *text_family(const struct policy *p)
{
	return p->ip == 6 ? "ip6" : "ip";
}

static const char *text_type(const struct policy *p)
{
	return p->ip == 6 ? "ipv6_addr" : "ipv4_addr";
}

/* A bucket of nftables holds one second of its rate plus the burst, and cannot
 * be made smaller; its burst is what is missing to the policy's. */
uint64_t nftables_bucket_bytes(const struct policy *p)
{
	return p->burst_bytes > p->limit_bps / 8 ? p->burst_bytes : p->limit_bps / 8;
}

static void text_limits(FILE *out, const struct policy *p, bool map)
{
	uint64_t rate = p->limit_bps / 8;
	uint64_t burst = nftables_bucket_bytes(p) - rate;
	char address[ADDRESS_TEXT_BYTES];

	fprintf(out, "\t# a bucket holds %" PRIu64 " bytes: one second of its rate%s\n",
		rate + burst, burst ? " plus the burst" : "");
	for (uint32_t i = 0; i < p->filter_count; i++) {
		fprintf(out, "\tlimit limit%u { rate over %" PRIu64 " bytes/second", i, rate);
		if (burst)
			fprintf(out, " burst %" PRIu64 " bytes", burst);
		fprintf(out, "; }\n");
	}
	if (!map)
		return;
	fprintf(out, "\tmap limits {\n\t\ttype %s : limit; size %u\n\t\telements = {\n", text_type(p),
		p->filter_count);
	for (uint32_t i = 0; i < p->filter_count; i++)
		fprintf(out, "\t\t\t%s : \"limit%u\",\n",
			address_print(address, sizeof(address), &p->filters[i].client), i);
	fprintf(out, "\t\t}\n\t}\n");
}

static void text_set(FILE *out, const struct policy *p)
{
	char address[ADDRESS_TEXT_BYTES];

	fprintf(out, "\tset clients {\n\t\ttype %s; size %u\n\t\telements = {\n", text_type(p),
		p->filter_count);
	for (uint32_t i = 0; i < p->filter_count; i++)
		fprintf(out, "\t\t\t%s,\n",
			address_print(address, sizeof(address), &p->filters[i].client));
	fprintf(out, "\t\t}\n\t}\n");
}

static void text_limit_rules(FILE *out, const struct policy *p, enum nft_style style)
{
	const char *family = text_family(p);
	static const char *const ends[] = { "saddr", "daddr" };
	char address[ADDRESS_TEXT_BYTES];

	if (style == STYLE_BEST) {
		for (int e = 0; e < 2; e++)
			fprintf(out, "\t\tlimit name %s %s map @limits counter name drop_limit drop\n",
				family, ends[e]);
		return;
	}
	for (uint32_t i = 0; i < p->filter_count; i++) {
		address_print(address, sizeof(address), &p->filters[i].client);
		for (int e = 0; e < 2; e++)
			fprintf(out, "\t\t%s %s %s limit name \"limit%u\" counter name drop_limit drop\n",
				family, ends[e], address, i);
	}
}

static void text_accept_rules(FILE *out, const struct policy *p, enum nft_style style)
{
	const char *family = text_family(p);
	char address[ADDRESS_TEXT_BYTES];

	if (style == STYLE_BEST) {
		fprintf(out, "\t\t%s saddr @clients accept\n\t\t%s daddr @clients accept\n", family,
			family);
		return;
	}
	for (uint32_t i = 0; i < p->filter_count; i++) {
		address_print(address, sizeof(address), &p->filters[i].client);
		fprintf(out, "\t\t%s saddr %s accept\n\t\t%s daddr %s accept\n", family, address,
			family, address);
	}
}

static void text_forward(FILE *out, const struct policy *p, enum nft_style style)
{
	fprintf(out, "\tchain forward {\n"
		     "\t\ttype filter hook forward priority filter; policy %s;\n",
		p->filter_count ? "drop" : "accept");
	if (p->filter_count && p->limit_bps)
		text_limit_rules(out, p, style);
	if (p->inspect == INSPECT_TCP)
		fprintf(out, "\t\tct state established,related accept\n");
	if (nftables_tracks(p))
		fprintf(out, "\t\tct state invalid counter name drop_invalid drop\n");
	if (p->filter_count) {
		text_accept_rules(out, p, style);
		fprintf(out, "\t\tcounter name drop_policy drop\n");
	}
	fprintf(out, "\t}\n");
}

static void text_nat(FILE *out, const struct policy *p)
{
	char inside[ADDRESS_TEXT_BYTES];

	fprintf(out,
		"\tchain postrouting {\n"
		"\t\ttype nat hook postrouting priority srcnat;\n"
		"\t\toifname \"%s\" %s saddr %s masquerade\n\t}\n",
		lab_interface(NODE_DEVICE, true), text_family(p),
		prefix_print(inside, sizeof(inside), &p->inside));
}

char *nftables_text(const struct policy *p, enum nft_style style)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool bad;

	if (!out)
		return NULL;
	fprintf(out, "table %s fwbench {\n"
		     "\tcounter drop_policy { }\n\tcounter drop_invalid { }\n\tcounter drop_limit { }\n",
		text_family(p));
	if (p->filter_count && p->limit_bps)
		text_limits(out, p, style == STYLE_BEST);
	if (p->filter_count && style == STYLE_BEST)
		text_set(out, p);
	if (p->filter_count || nftables_tracks(p))
		text_forward(out, p, style);
	if (p->nat)
		text_nat(out, p);
	fprintf(out, "}\n");
	bad = ferror(out);
	if (fclose(out) || bad) {
		free(text);
		return NULL;
	}
	return text;
}

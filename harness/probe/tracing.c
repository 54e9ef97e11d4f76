/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/probe/tracing.h"

#include <errno.h>
#include <stddef.h>

#ifdef HAVE_BPF
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "softirq.skel.h"

struct tracing {
	struct softirq_bpf *bpf;
};

static int tracing_talk(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char line[512];
	size_t length;

	if (level == LIBBPF_DEBUG)
		return 0;
	vsnprintf(line, sizeof(line), fmt, ap);
	length = strlen(line);
	if (length && line[length - 1] == '\n')
		line[length - 1] = '\0';
	log_debug("%s", line);
	return 0;
}

int tracing_open(pid_t device_pid, struct tracing **out)
{
	OWN_MEM struct tracing *t = calloc(1, sizeof(*t));
	libbpf_print_fn_t before = libbpf_set_print(tracing_talk);
	int code = -ENOMEM;

	if (t)
		t->bpf = softirq_bpf__open();
	if (t && t->bpf) {
		t->bpf->rodata->device_tgid = device_pid;
		bpf_program__set_autoload(t->bpf->progs.sched_switch, device_pid != 0);
		code = softirq_bpf__load(t->bpf);
		if (!code)
			code = softirq_bpf__attach(t->bpf);
		if (code)
			softirq_bpf__destroy(t->bpf);
	}
	libbpf_set_print(before);
	if (code)
		return code;
	*out = TAKE_PTR(t);
	return 0;
}

const volatile struct softirq_core *tracing_cores(const struct tracing *tracing)
{
	return tracing->bpf->bss->softirq_cores;
}

void tracing_close(struct tracing *tracing)
{
	if (!tracing)
		return;
	softirq_bpf__destroy(tracing->bpf);
	free(tracing);
}

#else

int tracing_open(pid_t device_pid, struct tracing **out)
{
	(void)device_pid;
	(void)out;
	return -ENOSYS;
}

const volatile struct softirq_core *tracing_cores(const struct tracing *tracing)
{
	(void)tracing;
	return NULL;
}

void tracing_close(struct tracing *tracing)
{
	(void)tracing;
}

#endif

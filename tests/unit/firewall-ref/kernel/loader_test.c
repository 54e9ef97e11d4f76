/* SPDX-License-Identifier: BSD-2-Clause */
/* Attaching where the kernel has no tcx links: filters of a clsact qdisc, which
 * outlive a killed fwref. Whose the qdisc is must be known to the next one. */
#include "tests/unit/skip.h"

#ifdef HAVE_BPF
#include "tests/unit/firewall-ref/bpf.h"

static const struct path_options options = { .inside = "in", .outside = "out", .flow_table_size = 64 };

/* What tc says of both interfaces holds the word so often. */
static int lines(const char *what)
{
	char command[256];
	FILE *pipe;
	int count = 0;

	snprintf(command, sizeof(command),
		 "for i in in out; do tc qdisc show dev $i; tc filter show dev $i ingress; done | grep -c '%s'",
		 what);
	pipe = popen(command, "re");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%d", &count), 1);
	pclose(pipe);
	return count;
}

static struct path *opened(void)
{
	struct path *path = NULL;

	if (kernel_path_open(&options, 0, &path))
		SKIP_NO_FEATURE("BPF programs for tc (Linux 5.17, BTF)");
	assert_int_equal(lines("fwref.*direct-action"), 2);
	return path;
}

static void enter(void)
{
	SKIP_UNLESS_ROOT();
	if (bpf_lab_enter())
		SKIP_NO_FEATURE("network namespaces");
}

static void taken_over(void **state)
{
	(void)state;
	enter();
	path_kernel.close(opened());
	assert_int_equal(lines("clsact"), 0);
	kernel_path_free(opened()); /* as if killed: nothing is detached */
	assert_int_equal(lines("fwref.*direct-action"), 2);
	path_kernel.close(opened());
	assert_int_equal(lines("clsact"), 0);
}

/* Before and after a kill: neither the qdisc nor its other filter is touched. */
static void of_somebody_else(void **state)
{
	(void)state;
	enter();
	assert_int_equal(system("for i in in out; do tc qdisc add dev $i clsact && "
				"tc filter add dev $i ingress pref 1 handle 1 bpf da bytecode '1,6 0 0 0'; done"), 0);
	kernel_path_free(opened());
	path_kernel.close(opened());
	assert_int_equal(lines("clsact"), 2);
	assert_int_equal(lines("handle 0x1 "), 2);
	assert_int_equal(lines("fwref"), 0);
}
#else
static void taken_over(void **state)
{
	(void)state;
	SKIP_NO_FEATURE("clang and bpftool at build time");
}

static void of_somebody_else(void **state)
{
	taken_over(state);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taken_over),
		cmocka_unit_test(of_somebody_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

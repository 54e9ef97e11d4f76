/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/probe/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "common/child.h"
#include "common/cores.h"
#include "common/own.h"
#include "harness/lab/namespace.h"

#define VERSION_TIMEOUT_MS 5000

json_t *machine_text(const char *text)
{
	json_t *json = text ? json_string(text) : NULL; /* NULL also if it is not UTF-8 */

	return json ? json : json_null();
}

bool machine_program(const char *name)
{
	char path[512];

	for (const char *p = getenv("PATH"); p && *p;) {
		size_t n = strcspn(p, ":");

		snprintf(path, sizeof(path), "%.*s/%s", (int)n, p, name);
		if (!access(path, X_OK))
			return true;
		p += n + (p[n] == ':');
	}
	return false;
}

char *machine_version(const char *const *argv)
{
	struct child_options o = { .argv = argv, .netns_fd = -1, .quiet = true };
	char *out = NULL;

	/* child_run would say that it is missing; here that is an answer. */
	if (!machine_program(argv[0]) || child_run(&o, VERSION_TIMEOUT_MS, &out, NULL) || !*out) {
		free(out);
		return NULL;
	}
	out[strcspn(out, "\n")] = '\0';
	return out;
}

static json_t *machine_kernel(void)
{
	struct utsname u;

	if (uname(&u))
		return json_null();
	return json_sprintf("%s %s %s", u.sysname, u.release, u.machine);
}

static json_t *machine_cpu(void)
{
	OWN_FILE FILE *f = fopen("/proc/cpuinfo", "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		char *value = strchr(line, ':');

		if (value && !strncmp(line, "model name", 10)) {
			value[strcspn(value, "\n")] = '\0';
			return machine_text(value + 2);
		}
	}
	return json_null();
}

/* The hypervisor names itself in CPUID leaf 0x40000000, where leaf 1 says that
 * there is one. */
static json_t *machine_hypervisor(void)
{
#if defined(__x86_64__) || defined(__i386__)
	static const struct {
		const char *signature, *name;
	} known[] = { { "KVMKVMKVM", "KVM" }, { "Microsoft Hv", "Hyper-V" },
		      { "VMwareVMware", "VMware" }, { "XenVMMXenVMM", "Xen" } };
	unsigned a, b, c, d;
	char signature[13] = "";

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return json_null();
	if (!(c >> 31 & 1))
		return json_string("none");
	__cpuid(0x40000000, a, b, c, d);
	memcpy(signature, &b, 4);
	memcpy(signature + 4, &c, 4);
	memcpy(signature + 8, &d, 4);
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (!strcmp(signature, known[i].signature))
			return json_string(known[i].name);
	return machine_text(signature);
#else
	return json_null();
#endif
}

static json_t *machine_load(void)
{
	double load[3];

	if (getloadavg(load, 3) != 3)
		return json_null();
	return json_sprintf("%.2f %.2f %.2f", load[0], load[1], load[2]);
}

/* What the kernel does against faults of this CPU; it costs packets. */
static json_t *machine_mitigations(void)
{
	OWN_DIR DIR *dir = opendir("/sys/devices/system/cpu/vulnerabilities");
	json_t *found = dir ? json_object() : json_null();
	char text[512];

	for (struct dirent *e; dir && (e = readdir(dir));)
		if (*e->d_name != '.' && !file_read(dirfd(dir), e->d_name, text, sizeof(text)) &&
		    strcmp(text, "Not affected"))
			json_object_set_new(found, e->d_name, machine_text(text));
	return found;
}

static json_t *machine_clocksource(void)
{
	char text[64];

	return file_read(AT_FDCWD, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			 text, sizeof(text)) ? json_null() : machine_text(text);
}

void machine_read(json_t *object)
{
	struct sysinfo info;
	struct cores cores;
	char text[256];

	json_object_set_new(object, "kernel", machine_kernel());
	json_object_set_new(object, "cpu", machine_cpu());
	json_object_set_new(object, "cores", cores_allowed(&cores) ? json_null() :
			    machine_text(cores_print(text, sizeof(text), &cores)));
	json_object_set_new(object, "core_count", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(object, "memory_bytes", sysinfo(&info) ? json_null() :
			    json_integer((json_int_t)info.totalram * info.mem_unit));
	json_object_set_new(object, "load_average", machine_load());
	json_object_set_new(object, "hypervisor", machine_hypervisor());
	json_object_set_new(object, "clocksource", machine_clocksource());
	json_object_set_new(object, "mitigations", machine_mitigations());
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/claim.h"
#include "firewall-ref/control.h"
#include "firewall-ref/firewall.h"

#define RUN_SWEEP_NS NS_PER_S

static json_t *run_reload(struct firewall *firewall)
{
	char why[512] = "";

	if (firewall_reload(firewall, why, sizeof(why)))
		return json_pack("{s:s s:s}", "event", "error", "error", why);
	return json_pack("{s:s s:I s:I}", "event", "reload", "generation",
			 (json_int_t)firewall->loads, "filters",
			 (json_int_t)firewall->policy.rule_count);
}

static json_t *run_answer(void *context, const char *word)
{
	struct firewall *firewall = context;

	if (!strcmp(word, "stats"))
		return firewall_stats(firewall);
	if (!strcmp(word, "flows"))
		return firewall_flows(firewall);
	if (!strcmp(word, "reload"))
		return run_reload(firewall);
	return json_pack("{s:s s:s}", "event", "error", "error",
			 "the control socket knows stats, flows and reload");
}

/* Before any thread starts, so that none takes the signals. SIGPIPE: whoever read
 * what is said here may go; the firewall stays. */
static int run_signals(void)
{
	sigset_t set;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd >= 0 ? fd : log_err(-errno, "signalfd: %s", strerror(errno));
}

/* True: it is time to end. */
static bool run_signal(struct firewall *firewall, int fd)
{
	struct signalfd_siginfo info;
	char why[512] = "";

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo != SIGHUP)
		return true;
	if (firewall_reload(firewall, why, sizeof(why)))
		log_warn("not reloaded, the old policy stays: %s", why);
	else
		log_info("reloaded: %u rules", firewall->policy.rule_count);
	return false;
}

static int run_ready(const struct firewall *firewall)
{
	const struct options *o = firewall->options;
	json_t *ready = json_pack("{s:s s:s s:s s:s s:s s:o s:s s:I s:I}", "event", "ready", "path",
				  firewall->ops->name, "version", VERSION, "inside", o->inside,
				  "outside", o->outside, "policy",
				  o->empty ? json_null() : json_string(o->policy), "control", o->control,
				  "filters", (json_int_t)firewall->policy.rule_count,
				  "flow_table", (json_int_t)firewall->flow_table);
	int error = !ready || json_dumpf(ready, stdout, JSON_COMPACT);

	json_decref(ready);
	return error || putchar('\n') == EOF || fflush(stdout) ? -EIO : 0;
}

/* Until a signal: 0. An interface that is gone takes its hook along, and one that
 * comes in its place has none: then an exit code. */
static int run_loop(struct firewall *firewall, struct control *control, const struct claim *claim,
		    int signals)
{
	uint64_t sweep_ns = clock_now_ns() + RUN_SWEEP_NS;

	for (;;) {
		struct pollfd fds[CONTROL_CLIENTS + 2];
		uint32_t n = control_poll(control, fds + 1);
		uint64_t now_ns = clock_now_ns();
		int wait_ms = now_ns < sweep_ns ? (int)((sweep_ns - now_ns) / NS_PER_MS) + 1 : 0;

		fds[0] = (struct pollfd){ .fd = signals, .events = POLLIN };
		poll(fds, n + 1, wait_ms);
		if (run_signal(firewall, signals))
			return EXIT_PASS;
		now_ns = clock_now_ns();
		control_serve(control, now_ns);
		if (now_ns >= sweep_ns) {
			if (claim_lost(claim))
				return log_err(EXIT_RUN_FAILED, "the interface %s is gone: nothing is "
					       "forwarded any more", claim_lost(claim));
			firewall->ops->sweep(firewall->path);
			sweep_ns = now_ns + RUN_SWEEP_NS;
		}
	}
}

static int run_firewall(struct control *control, const struct options *options, int signals)
{
	struct firewall *firewall = control->context;
	struct claim claim;
	int code;

	if (claim_begin(&claim, options->inside, options->outside))
		return EXIT_RUN_FAILED;
	code = firewall_open(firewall, options);
	if (!code) {
		if (!run_ready(firewall))
			code = run_loop(firewall, control, &claim, signals);
		else
			code = log_err(EXIT_RUN_FAILED, "the ready line could not be written");
		firewall_close(firewall);
	}
	claim_end(&claim);
	return code;
}

int run(const struct options *options)
{
	struct firewall firewall;
	struct control control = { .answer = run_answer, .context = &firewall };
	OWN_FD int signals = run_signals();
	int code;

	if (signals < 0)
		return EXIT_RUN_FAILED;
	if (control_open(&control, options->control))
		return EXIT_RUN_FAILED;
	code = run_firewall(&control, options, signals);
	control_close(&control);
	return code;
}

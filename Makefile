# fwbench: one plain, non-recursive makefile. Products go to build/.
#
#   make demo          install what is missing, build, run scenarios/quick.yaml
#   make check         install, build with ASan and UBSan, pass every test
#   make check-long    the tests that take longer than five seconds each
#   make bench-firewall, make bench-generator     QUICK=1 for about a minute
#   make, make install (PREFIX, DESTDIR), make clean, make help
#   V=1 with any of them: show every command in full
#
# For those who work on it: a new .c file in a program's folder, a new *_test.c
# below tests/unit, a new *.sh in tests/e2e are found by themselves.

BUILD ?= build
PREFIX ?= /usr/local
CC = gcc
CLANG ?= clang
VERSION := $(shell cat VERSION)

CFLAGS_BASE = -std=gnu11 -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -I. -I$(BUILD)/skel -g -pthread \
	-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
	-Wmissing-prototypes -Werror=implicit-function-declaration -Werror=unused-function -MMD -MP
ifdef SANITIZE
CFLAGS_MODE = -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else
CFLAGS_MODE = -O2
endif
CFLAGS ?=
ALL_CFLAGS = $(CFLAGS_BASE) $(CFLAGS_MODE) $(CFLAGS)
LDLIBS = -ljansson -lm -pthread

# The kernel parts need clang and bpftool; without them everything else works.
ifneq ($(and $(shell command -v $(CLANG)),$(shell command -v bpftool)),)
HAVE_BPF = 1
CFLAGS_BASE += -DHAVE_BPF
BPF_LIBS = -lbpf -lelf -lz
endif

SRC_common = $(wildcard common/*.c)
SRC_fwgen = $(wildcard trafficgen/*.c trafficgen/workload/*.c)
SRC_fwref = $(wildcard firewall-ref/*.c firewall-ref/user/*.c) $(if $(HAVE_BPF),$(filter-out %.bpf.c,$(wildcard firewall-ref/kernel/*.c)))
SRC_fwbench = $(wildcard harness/*.c harness/scenario/*.c harness/trial/*.c harness/lab/*.c harness/device/*.c harness/probe/*.c harness/report/*.c)
SRC_fwbench := $(filter-out %.bpf.c,$(SRC_fwbench))
PROGRAMS = fwgen fwref fwbench
LIBS_fwgen =
LIBS_fwref = $(BPF_LIBS)
LIBS_fwbench = -lyaml $(BPF_LIBS)
DIR_fwgen = trafficgen
DIR_fwref = firewall-ref
DIR_fwbench = harness

BPF_SRC = $(if $(HAVE_BPF),$(wildcard firewall-ref/kernel/*.bpf.c harness/probe/*.bpf.c))
SKELETONS = $(patsubst %.bpf.c,$(BUILD)/skel/%.skel.h,$(notdir $(BPF_SRC)))

# $(call say,CC,what): "  CC  what" instead of the whole command, unless V=1.
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2);)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

.PHONY: all
all: $(PROGRAMS:%=$(BUILD)/%) $(BUILD)/said

# Said once, not at every build.
$(BUILD)/said: Makefile
	@mkdir -p $(@D)
	@$(if $(HAVE_BPF),,echo "note: no clang or bpftool: built without fwref's kernel path and without device CPU by softirq time" >&2;) touch $@

$(BUILD)/obj/%.o: %.c | $(SKELETONS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -c $< -o $@

$(BUILD)/libcommon.a: $(call objects,$(SRC_common))
	@rm -f $@
	$(call say,AR,$@)ar rcs $@ $^

define program_rules
$$(BUILD)/lib$(1).a: $$(call objects,$$(filter-out %/main.c,$$(SRC_$(1))))
	@rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^
$$(BUILD)/$(1): $$(call objects,$$(DIR_$(1))/main.c) $$(BUILD)/lib$(1).a $$(BUILD)/libcommon.a
	$$(call say,LINK,$$@)$$(CC) $$(ALL_CFLAGS) $$^ -o $$@ $$(LIBS_$(1)) $$(LDLIBS)
endef
$(foreach p,$(PROGRAMS),$(eval $(call program_rules,$(p))))

# BPF objects: compiled once by clang, embedded as skeletons.
BPF_CFLAGS = -target bpf -mcpu=v3 -O2 -g -Wall -Wno-unused-function -I. -I/usr/include/$(shell uname -m)-linux-gnu -MMD -MP
define bpf_rules
$$(BUILD)/bpf/$(notdir $(1:.bpf.c=.bpf.o)): $(1)
	@mkdir -p $$(@D)
	$$(call say,CLANG,$$<)$$(CLANG) $$(BPF_CFLAGS) -c $$< -o $$@
$$(BUILD)/skel/$(notdir $(1:.bpf.c=.skel.h)): $$(BUILD)/bpf/$(notdir $(1:.bpf.c=.bpf.o))
	@mkdir -p $$(@D)
	$$(call say,SKEL,$$@)bpftool gen skeleton $$< name $(notdir $(1:.bpf.c=))_bpf > $$@.tmp && mv $$@.tmp $$@
endef
$(foreach b,$(BPF_SRC),$(eval $(call bpf_rules,$(b))))

# Unit tests: tests/unit/<folder>/<module>_test.c, one cmocka binary a module,
# linked with its folder's program (objects of its own, always sanitized).
TEST_SRC = $(wildcard tests/unit/*/*_test.c tests/unit/*/*/*_test.c)
TEST_BIN = $(TEST_SRC:tests/unit/%.c=$(BUILD)/unit/%)
$(BUILD)/unit/common/%: tests/unit/common/%.c $(BUILD)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_CFLAGS) $(filter-out %.h,$^) -o $@ -lcmocka $(LDLIBS)
define test_rules
$$(BUILD)/unit/$$(DIR_$(1))/%: tests/unit/$$(DIR_$(1))/%.c $$(BUILD)/lib$(1).a $$(BUILD)/libcommon.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$(CC) $$(ALL_CFLAGS) $$(filter-out %.h,$$^) -o $$@ -lcmocka $$(LIBS_$(1)) $$(LDLIBS)
endef
$(foreach p,$(PROGRAMS),$(eval $(call test_rules,$(p))))

.PHONY: tests
tests: all $(TEST_BIN)

# ---- the commands of the README ------------------------------------------

.PHONY: demo check check-long packages-demo packages-check packages-bench
packages-demo packages-check packages-bench: packages-%:
	@./packages $*

demo: packages-demo
	@$(MAKE) --no-print-directory all
	$(BUILD)/fwbench run scenarios/quick.yaml

check: packages-check
	@$(MAKE) --no-print-directory BUILD=build/check SANITIZE=1 tests
	@tests/run build/check tests/e2e

check-long: packages-check
	@$(MAKE) --no-print-directory BUILD=build/check SANITIZE=1 tests
	@tests/run build/check tests/e2e tests/e2e/long

.PHONY: bench-firewall bench-generator
bench-firewall bench-generator: bench-%: packages-bench
	@$(MAKE) --no-print-directory all
	@tests/bench/$* $(BUILD)

.PHONY: install clean help
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
		$(DESTDIR)$(PREFIX)/share/fwbench $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $(PROGRAMS:%=$(BUILD)/%) $(DESTDIR)$(PREFIX)/bin
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5
	cp -r scenarios plots $(DESTDIR)$(PREFIX)/share/fwbench/
	install -d $(DESTDIR)$(PREFIX)/share/fwbench/results
	cp -r results/published $(DESTDIR)$(PREFIX)/share/fwbench/results/
	install -m 644 $(PROGRAMS:%=man/completion/%) $(DESTDIR)$(PREFIX)/share/bash-completion/completions

clean:
	rm -rf build

# The targets at the head of this file, up to its second empty comment line.
help:
	@sed -n '3,/^#$$/s/^# \{1,\}//p' Makefile

-include $(shell find $(BUILD)/obj $(BUILD)/bpf $(BUILD)/unit -name '*.d' 2>/dev/null)

# Fuzzers (clang's libFuzzer): make fuzz-datapath SECONDS=60, fuzz-policy, fuzz-scenario
.PHONY: fuzz-datapath fuzz-policy fuzz-scenario
fuzz-datapath:
	@mkdir -p build/fuzz/datapath
	$(CLANG) $(CFLAGS_BASE) -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		tests/fuzz/datapath_fuzz.c $(wildcard firewall-ref/policy*.c) firewall-ref/user/tables.c \
		firewall-ref/user/router.c firewall-ref/user/netlink.c $(SRC_common) -o build/fuzz/datapath_fuzz $(LDLIBS)
	build/fuzz/datapath_fuzz -max_total_time=$(or $(SECONDS),60) -max_len=4096 build/fuzz/datapath

fuzz-policy:
	@mkdir -p build/fuzz/policy
	$(CLANG) $(CFLAGS_BASE) -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		tests/fuzz/policy_fuzz.c $(wildcard firewall-ref/policy*.c) firewall-ref/user/tables.c \
		firewall-ref/user/router.c firewall-ref/user/netlink.c $(SRC_common) -o build/fuzz/policy_fuzz $(LDLIBS)
	sed -n '/^classifier tuple/,/^permit icmp6/p' man/fwref-policy.5 >build/fuzz/policy/manual
	build/fuzz/policy_fuzz -max_total_time=$(or $(SECONDS),60) -max_len=2048 build/fuzz/policy

fuzz-scenario:
	@mkdir -p build/fuzz/scenario
	$(CLANG) $(CFLAGS_BASE) -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		tests/fuzz/scenario_fuzz.c harness/plan.c $(wildcard harness/scenario/*.c harness/device/*.c harness/lab/*.c) \
		$(SRC_common) -o build/fuzz/scenario_fuzz -lyaml $(LDLIBS)
	cp scenarios/*.yaml scenarios/published/*.yaml build/fuzz/scenario
	build/fuzz/scenario_fuzz -max_total_time=$(or $(SECONDS),60) -max_len=2048 -close_fd_mask=2 build/fuzz/scenario

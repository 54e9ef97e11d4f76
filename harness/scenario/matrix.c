/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/matrix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/scenario/form.h"
#include "harness/scenario/names.h"
#include "harness/scenario/rules.h"

/* One address in the mixed-radix number that a row's index is. */
struct axis {
	const char *path;              /* NULL: the axis is rows: */
	const struct tree *list;
	struct mark mark;
};

/* One column of the result: a key, or a whole section. */
struct column {
	const struct key *key;         /* NULL: the section */
	const char *label;             /* "connections", "device", "policy", "name" */
};

enum { AXES_MAX = 64, COLUMNS_MAX = 64 };

struct matrix {
	const struct tree *root;
	struct tree *base;             /* root without matrix and rows */
	struct mark *marks;            /* scratch, key_count */
	unsigned axis_count, column_count;
	struct axis axes[AXES_MAX];
	struct column columns[COLUMNS_MAX];
};

static bool column_known(const struct matrix *m, const char *label)
{
	for (unsigned i = 0; i < m->column_count; i++)
		if (!strcmp(m->columns[i].label, label))
			return true;
	return false;
}

static void column_add(struct matrix *m, const struct key *key, const char *section)
{
	const char *label = section;
	char why[256];

	if (key)
		label = key->scope == KEY_ROWS_ONLY || key_look(key_leaf(key), why, sizeof(why)) == key ?
			key_leaf(key) : key->path;
	if (!column_known(m, label) && m->column_count < COLUMNS_MAX)
		m->columns[m->column_count++] = (struct column){ key, label };
}

/* A row's keys in the order in which they first appear. A device or policy in rows
 * is one column, whatever of it is given: its name says the rest. */
static void columns_of_rows(struct matrix *m, const struct tree *rows)
{
	for (unsigned r = 0; r < rows->count; r++)
		if (tree_find(rows->items[r].value, "name"))
			column_add(m, key_find("name"), NULL);
	for (unsigned r = 0; r < rows->count; r++) {
		const struct tree *row = rows->items[r].value;

		for (unsigned i = 0; i < row->count; i++) {
			const struct tree_item *item = &row->items[i];

			if (is_column_section(item->key))
				column_add(m, NULL, item->key);
			else if (item->value->kind != TREE_MAP && strcmp(item->key, "published"))
				column_add(m, key_find(item->key), NULL);
			for (unsigned k = 0; item->value->kind == TREE_MAP &&
			     !is_column_section(item->key) && k < item->value->count; k++) {
				char path[128];

				snprintf(path, sizeof(path), "%s.%s", item->key, item->value->items[k].key);
				if (key_find(path))
					column_add(m, key_find(path), NULL);
			}
		}
	}
}

static int axes_find(struct matrix *m)
{
	const struct tree_item *matrix = tree_find(m->root, "matrix"), *rows = tree_find(m->root, "rows");

	if (rows) {
		m->axes[m->axis_count++] = (struct axis){ NULL, rows->value, rows->mark };
		columns_of_rows(m, rows->value);
	}
	for (unsigned i = 0; matrix && i < matrix->value->count; i++) {
		const struct tree_item *item = &matrix->value->items[i];
		bool section = is_column_section(item->key);
		unsigned before = m->column_count;

		if (m->axis_count == AXES_MAX)
			return mark_err(&item->mark, "matrix: more than %d columns", AXES_MAX - 1);
		m->axes[m->axis_count++] = (struct axis){ item->key, item->value, item->mark };
		column_add(m, section ? NULL : key_find(item->key), section ? item->key : NULL);
		if (m->column_count == before)
			return mark_err(&item->mark, "matrix: %s is given in rows too: keep one of them",
					item->key);
	}
	column_add(m, NULL, "device");
	return 0;
}

/* The policy is a column too where the scenario has one, so that a result says
 * what it measured; not where its single keys are columns already. */
static void policy_column(struct matrix *m)
{
	for (unsigned i = 0; i < m->column_count; i++)
		if (m->columns[i].key && !strncmp(m->columns[i].key->path, "policy.", 7))
			return;
	column_add(m, NULL, "policy");
}

static int count_rows(const struct matrix *m, unsigned *count)
{
	uint64_t n = 1;

	for (unsigned i = 0; i < m->axis_count; i++) {
		n *= m->axes[i].list->count;
		if (n > ROWS_MAX)
			return mark_err(&m->axes[i].mark, "more than %u combinations: split the scenario",
					ROWS_MAX);
	}
	*count = (unsigned)n;
	return 0;
}

/* Lays one value of an axis over the row's tree. */
static void lay_value(struct tree *row, const struct axis *axis, const struct tree *value)
{
	OWN_TREE struct tree *over = tree_new(TREE_MAP, &value->mark);
	const char *dot = axis->path ? strchr(axis->path, '.') : NULL;
	char section[32];

	if (!axis->path) {
		tree_lay(row, value);
		return;
	}
	if (dot) {
		snprintf(section, sizeof(section), "%.*s", (int)(dot - axis->path), axis->path);
		tree_put(tree_section(over, section, &value->mark), dot + 1, &value->mark, tree_copy(value));
	} else {
		tree_put(over, axis->path, &value->mark, tree_copy(value));
	}
	tree_lay(row, over);
}

/* What is left to work out when every key of a row is known. */
static void settle(struct values *values)
{
	struct settings *s = &values->settings;

	s->policy.present = strcmp(s->device.kind, "none") != 0;
	if (!s->load.clients) {
		s->load.clients = s->policy.present && s->policy.filters ? s->policy.filters : 500;
		if (s->load.clients > s->load.connections)
			s->load.clients = s->load.connections;
	}
	if (!s->policy.present)
		s->policy = (struct policy_settings){ 0 };
}

static bool column_of(const struct column *column, const char *section)
{
	size_t n = strlen(section);

	return column->key ? !strncmp(column->key->path, section, n) && column->key->path[n] == '.' :
			     !strcmp(column->label, section);
}

static json_t *column_value(const struct column *column, const struct values *values)
{
	char name[NAME_BYTES];

	if (!values->settings.policy.present && column_of(column, "policy"))
		return json_null();
	if (column->key && column->key->device && strcmp(column->key->device, values->settings.device.kind))
		return json_null();
	if (column->key && column->key->scope == KEY_ROWS_ONLY && !*values->row_name)
		return json_null();
	if (column->key)
		return key_json(column->key, values);
	if (!strcmp(column->label, "device"))
		name_device(values, name, sizeof(name));
	else
		name_policy(values, name, sizeof(name));
	return json_string(name);
}

/* Four views of the same columns: see struct scenario_row. */
static int row_keys(const struct matrix *m, const struct values *values, struct scenario_row *row)
{
	json_t *bare = json_object(), *rest = json_object();
	char empty[NAME_BYTES + 16];

	row->key = json_object();
	row->hidden_key = json_object();
	name_device(values, row->device_name, sizeof(row->device_name));
	snprintf(empty, sizeof(empty), "%s (empty)", row->device_name);
	for (unsigned i = 0; i < m->column_count; i++) {
		const struct column *c = &m->columns[i];
		bool name = c->key && c->key->scope == KEY_ROWS_ONLY;
		bool device = column_of(c, "device"), policy = column_of(c, "policy");
		json_t *value = column_value(c, values);

		if (!name && !device && !policy)
			json_object_set(bare, c->label, value);
		if (!name && !device)
			json_object_set(rest, c->label, value);
		json_object_set_new(row->hidden_key, c->label, name || policy ? json_null() :
				    device && !c->key ? json_string(empty) : json_incref(value));
		json_object_set_new(row->key, c->label, value);
	}
	row->bare = json_dumps(bare, JSON_COMPACT);
	row->rest = json_dumps(rest, JSON_COMPACT);
	json_decref(bare);
	json_decref(rest);
	return row->bare && row->rest ? 0 : log_err(-ENOMEM, "out of memory");
}

static void row_free(struct scenario_row *row)
{
	json_decref(row->key);
	json_decref(row->hidden_key);
	free(row->bare);
	free(row->rest);
}

void matrix_free(struct scenario_row *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		row_free(&rows[i]);
	free(rows);
}

/* The same columns twice: fine for a device whose policy does not apply, a slip
 * of the pen otherwise. */
static int row_twice(const struct scenario_row *rows, unsigned count, const struct scenario_row *row,
		     const struct mark *mark, bool *twice)
{
	*twice = false;
	for (unsigned i = 0; i < count && !*twice; i++)
		*twice = json_equal(rows[i].key, row->key) &&
			 (row->settings.policy.present ||
			  rows[i].settings.published_bps == row->settings.published_bps);
	if (*twice && row->settings.policy.present) {
		OWN_MEM char *text = json_dumps(row->key, JSON_COMPACT);

		return mark_err(mark, "two rows are called %s: give one of them a name", text ? text : "the same");
	}
	return 0;
}

/* Row number index: its digits choose a value of every axis, the last one runs fastest. */
static int row_make(struct matrix *m, unsigned index, struct scenario_row *row, struct mark *mark)
{
	OWN_TREE struct tree *tree = tree_copy(m->base);
	const struct tree *chosen[AXES_MAX];
	struct values values;

	*mark = m->root->mark;
	for (unsigned i = m->axis_count; i-- > 0;) {
		const struct tree *list = m->axes[i].list;

		chosen[i] = list->items[index % list->count].value;
		index /= list->count;
	}
	for (unsigned i = 0; i < m->axis_count; i++) {
		lay_value(tree, &m->axes[i], chosen[i]);
		*mark = chosen[i]->mark;
	}
	if (keys_read(tree, &values, m->marks))
		return -EINVAL;
	settle(&values);
	if (rules_check(&values, m->marks, mark))
		return -EINVAL;
	row->settings = values.settings;
	return row_keys(m, &values, row);
}

static int rows_make(struct matrix *m, struct scenario_row *rows, unsigned all, unsigned *count)
{
	for (unsigned i = 0; i < all; i++) {
		struct scenario_row *row = &rows[*count];
		struct mark mark;
		bool twice;
		int err = row_make(m, i, row, &mark);

		if (!err)
			err = row_twice(rows, *count, row, &mark, &twice);
		if (err || twice) {
			row_free(row);
			*row = (struct scenario_row){ 0 };
		} else {
			++*count;
		}
		if (err)
			return err;
	}
	return 0;
}

int matrix_rows(const struct tree *root, struct scenario_row **rows, unsigned *count)
{
	OWN_MEM struct mark *marks = calloc(key_count, sizeof(*marks));
	OWN_TREE struct tree *base = tree_copy(root);
	struct matrix m = { .root = root, .base = base, .marks = marks };
	struct scenario_row *made;
	unsigned all = 0;
	int err;

	if (!marks)
		return log_err(-ENOMEM, "out of memory");
	tree_remove(base, "matrix");
	tree_remove(base, "rows");
	err = axes_find(&m);
	if (err)
		return err;
	if (tree_find(base, "policy"))
		policy_column(&m);
	err = count_rows(&m, &all);
	if (err)
		return err;
	made = calloc(all, sizeof(*made));
	if (!made)
		return log_err(-ENOMEM, "out of memory");
	*count = 0;
	err = rows_make(&m, made, all, count);
	if (err) {
		matrix_free(made, *count);
		*count = 0;
		return err;
	}
	*rows = made;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Runs the real engine on the queueing model of agents.c and compares the time
 * with a bound: what the busiest agent alone needs, or what the window does, so
 * many Gets at a time, each with its service and its way.  Whatever the order,
 * nobody can be faster.
 *
 *   model           the short run: fails when anything is lost or too slow
 *   model NAME...   these fabrics, all services and windows
 *
 * In the table: what the busiest agent and what the window alone need, the
 * ratio of the time to the larger of them, SMPs that were lost, the most that
 * were at one agent at a time (sent to it and not over, the way included), and
 * which part of the Gets found the limit of an agent reached already.
 */
#include <config.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "agents.h"

#define TIMEOUT_NS UINT64_C(100000000)
#define TRIES	   4u
#define RATIO_MAX  1.2
#define OVER_MAX   0.01 /* of the Gets: probes that find the limit reached */

static double
ratio(const struct result *result)
{
	uint64_t bound_ns = result->agent_ns > result->window_ns
				    ? result->agent_ns
				    : result->window_ns;

	return (double)result->time_ns / (double)bound_ns;
}

static void
print(const struct run *run, const char *what, const struct result *result)
{
	printf("%-14s %-8s %7u %6u %8u %7.2f %7.2f %7.2f %5.2f %5u %5u %6.2f\n",
	       run->fabric, what, run->service_us, run->window, result->n_smps,
	       (double)result->time_ns / 1e6, (double)result->agent_ns / 1e6,
	       (double)result->window_ns / 1e6, ratio(result), result->n_lost,
	       result->most, 100.0 * result->n_over / result->n_smps);
}

static bool
is_whole(const struct shape *shape, const struct ibs_map *map)
{
	uint32_t n_cables = 0;

	for (uint32_t i = 0; i < shape->n_slots; i++) {
		n_cables +=
			shape->peers[i] != SHAPE_NO_SLOT && shape->peers[i] > i;
	}
	return map->n_nodes == shape->n_nodes && map->n_links == n_cables &&
	       ibs_map_complete(map);
}

static struct ibs_sweep_limits
limits_of(const struct run *run)
{
	return (struct ibs_sweep_limits){ .max_smps = run->window,
					  .max_smps_per_node = run->per_node,
					  .max_tries = TRIES,
					  .timeout_ns = TIMEOUT_NS };
}

/*
 * First discovers the fabric, then reads again what it found.  The limit at one
 * agent holds without exception when the fabric is known.
 */
static bool
run_one(const struct run *run, bool is_judged)
{
	struct ibs_sweep_limits limits = limits_of(run);
	struct ibs_scope whole = { .whole = true };
	struct shape *shape = shape_make(run->fabric);
	struct result found, again;
	struct ibs_sweep *sweep;
	struct ibs_map *map;
	bool good;

	if (!shape || ibs_sweep_discover(&whole, &limits, 1, &sweep)) {
		fprintf(stderr, "model: cannot make %s\n", run->fabric);
		exit(2);
	}
	map = agents_run(shape, run, sweep, &found);
	print(run, "discover", &found);
	good = is_whole(shape, map);
	if (ibs_sweep_new(map, &limits, 1, &sweep)) {
		exit(2);
	}
	map = agents_run(shape, run, sweep, &again);
	print(run, "re-read", &again);
	good = good && is_whole(shape, map);
	if (!good) {
		printf("the map is not the fabric\n");
	}
	if (is_judged) {
		good = good && found.n_lost == 0 && again.n_lost == 0 &&
		       ratio(&found) <= RATIO_MAX &&
		       ratio(&again) <= RATIO_MAX &&
		       found.n_over <= OVER_MAX * found.n_smps &&
		       again.most <= run->per_node;
	}
	ibs_map_free(map);
	shape_free(shape);
	return good;
}

/* Many silent hosts cost the time-outs of one, also with a narrow window. */
static bool
run_silent(void)
{
	static const struct run run = { "1k", 20, 8, 2, 25 };
	struct ibs_sweep_limits limits = limits_of(&run);
	struct ibs_scope whole = { .whole = true };
	struct shape *shape = shape_make(run.fabric);
	struct ibs_sweep *sweep;
	struct result found;
	struct ibs_map *map;
	bool good;

	if (!shape || ibs_sweep_discover(&whole, &limits, 1, &sweep)) {
		exit(2);
	}
	map = agents_run(shape, &run, sweep, &found);
	print(&run, "silent", &found);
	good = map->n_nodes < shape->n_nodes && !ibs_map_complete(map) &&
	       found.n_lost == 0 &&
	       (double)found.time_ns <= RATIO_MAX * TRIES * TIMEOUT_NS;
	printf("%u hosts are silent\n", shape->n_nodes - map->n_nodes);
	ibs_map_free(map);
	shape_free(shape);
	return good;
}

static const struct run short_runs[] = {
	{ "star", 20, 32, 2, 0 },	  { "star", 100, 32, 2, 0 },
	{ "1k", 20, 32, 2, 0 },		  { "1k", 100, 32, 2, 0 },
	{ "1k-dragonfly", 20, 32, 2, 0 }, { "1k-dragonfly", 100, 32, 2, 0 },
};
#define N_SHORT_RUNS (sizeof(short_runs) / sizeof(short_runs[0]))

static bool
run_all(const char *fabric)
{
	static const unsigned int services_us[] = { 20, 100 };
	static const unsigned int windows[] = { 8, 32, 128 };
	bool good = true;

	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 3; j++) {
			struct run run = { .fabric = fabric,
					   .service_us = services_us[i],
					   .window = windows[j],
					   .per_node = 2 };

			good = run_one(&run, false) && good;
		}
	}
	return good;
}

int
main(int argc, char **argv)
{
	bool good = true;

	printf("                        service           "
	       "       time   agent  window ratio              over\n"
	       "fabric         sweep         us window     SMPs"
	       "      ms      ms      ms        lost  most limit %%\n");
	for (int i = 1; i < argc; i++) {
		good = run_all(argv[i]) && good;
	}
	for (size_t i = 0; argc == 1 && i < N_SHORT_RUNS; i++) {
		good = run_one(&short_runs[i], true) && good;
	}
	if (argc == 1) {
		good = run_silent() && good;
	}
	if (!good) {
		printf("that is not good enough\n");
	}
	return good ? 0 : 1;
}

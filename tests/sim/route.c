// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* route: the table of cables, read once, and the walk along it. */
#include <config.h>

#include "route.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "smp.h"

#define ROUTE_N_PORTS 256 /* a port number is one byte */
#define ROUTE_N_NODES 65536

struct route_node {
	char id[ROUTE_ID_SIZE];
	struct {
		struct route_node *peer;
		unsigned int port;
	} ports[ROUTE_N_PORTS];
};

static struct route_node *route_start;

static void
route_fail(const char *path, const char *why)
{
	fprintf(stderr, "simpreload: %s: %s\n", path, why);
	_exit(2);
}

static struct route_node *
route_find(const char *id)
{
	char copy[ROUTE_ID_SIZE]; /* hsearch() wants to be free to change it */
	ENTRY *entry;

	snprintf(copy, sizeof(copy), "%s", id);
	entry = hsearch((ENTRY){ .key = copy, .data = NULL }, FIND);
	return entry != NULL ? entry->data : NULL;
}

static struct route_node *
route_take(const char *path, const char *id)
{
	struct route_node *node = route_find(id);

	if (node != NULL) {
		return node;
	}
	node = calloc(1, sizeof(*node));
	if (node == NULL) {
		route_fail(path, "out of memory");
		return NULL;
	}
	snprintf(node->id, sizeof(node->id), "%s", id);
	if (hsearch((ENTRY){ .key = node->id, .data = node }, ENTER) == NULL) {
		route_fail(path, "too many nodes");
	}
	return node;
}

static void
route_read_line(const char *path, const char *line)
{
	char id[ROUTE_ID_SIZE], peer[ROUTE_ID_SIZE];
	unsigned int port, peer_port;
	struct route_node *node;

	if (sscanf(line, "%63s %u %63s %u", id, &port, peer, &peer_port) != 4 ||
	    port >= ROUTE_N_PORTS || peer_port >= ROUTE_N_PORTS) {
		route_fail(path, "a line is not `node port peer peerport`");
		return;
	}
	node = route_take(path, id);
	node->ports[port].peer = route_take(path, peer);
	node->ports[port].port = peer_port;
	if (route_start == NULL) {
		route_start = node;
	}
}

static void
route_load(const char *path)
{
	const char *host = getenv("SIM_HOST");
	char line[256];
	FILE *file = fopen(path, "r");

	if (file == NULL || hcreate(ROUTE_N_NODES) == 0) {
		route_fail(path, "cannot be read");
		return;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		route_read_line(path, line);
	}
	fclose(file);
	if (host != NULL) {
		route_start = route_find(host);
	}
	if (route_start == NULL) {
		route_fail(path, "has no cable at the start (SIM_HOST)");
	}
}

void
route_prepare(void)
{
	const char *path = getenv("IBSPEED_SIM_LINKS");

	if (path != NULL) {
		route_load(path);
	}
}

struct route_end
route_walk(const uint8_t *mad)
{
	unsigned int hops = mad[SMP_HOP_COUNT];
	unsigned int i, in = 0;
	struct route_node *node = route_start;

	for (i = 1; i <= hops && i <= SMP_MAX_HOPS && node != NULL; i++) {
		unsigned int out = mad[SMP_PATH + i];

		in = node->ports[out].port;
		node = node->ports[out].peer;
	}
	return (struct route_end){ .node = node != NULL ? node->id : NULL,
				   .entry = in };
}

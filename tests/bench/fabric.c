// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Writes a made-up fabric as a topology file of ibsim, all links 4xHDR, to
 * standard output: fabric NAME.  Without a name it lists those that there are.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "shape.h"

/* LIDs as a subnet manager would give them: one each, without gaps. */
static unsigned int
lid_of(uint32_t node)
{
	return node + 1;
}

static char
letter(const struct shape_node *node)
{
	return node->role == SHAPE_HOST ? 'H' : 'S';
}

static void
write_port(const struct shape *shape, uint32_t node, unsigned int num)
{
	const struct shape_node *n = &shape->nodes[node];
	uint32_t slot = shape->peers[n->first_slot + num];
	const struct shape_node *peer;
	char name[SHAPE_NAME_SIZE];
	uint32_t owner;

	if (slot == SHAPE_NO_SLOT) {
		return;
	}
	owner = shape->owners[slot];
	peer = &shape->nodes[owner];
	shape_node_name(shape, owner, name);
	printf("[%u]", num);
	if (n->role == SHAPE_HOST) {
		printf("(%016" PRIx64 ")", n->guid + num);
	}
	printf("\t\"%c-%016" PRIx64 "\"[%u]", letter(peer), peer->guid,
	       slot - peer->first_slot);
	if (n->role == SHAPE_HOST) {
		printf("\t\t# lid %u lmc 0 \"%s\" lid %u 4xHDR\n", lid_of(node),
		       name, lid_of(owner));
	} else {
		printf("\t\t# \"%s\" lid %u 4xHDR\n", name, lid_of(owner));
	}
}

static void
write_node(const struct shape *shape, uint32_t node)
{
	const struct shape_node *n = &shape->nodes[node];
	char name[SHAPE_NAME_SIZE];

	shape_node_name(shape, node, name);
	printf("vendid=0x2c9\ndevid=0x%x\nsysimgguid=0x%" PRIx64 "\n",
	       n->role == SHAPE_HOST ? 0x101b : 0xd2f0, n->guid);
	if (n->role == SHAPE_HOST) {
		printf("caguid=0x%" PRIx64 "\nCa\t%u \"H-%016" PRIx64
		       "\"\t\t# \"%s\"\n",
		       n->guid, n->n_ports, n->guid, name);
	} else {
		printf("switchguid=0x%" PRIx64 "(%" PRIx64
		       ")\nSwitch\t%u \"S-%016" PRIx64
		       "\"\t\t# \"%s\" enhanced port 0 lid %u lmc 0\n",
		       n->guid, n->guid, n->n_ports, n->guid, name,
		       lid_of(node));
	}
	for (unsigned int num = 1; num <= n->n_ports; num++) {
		write_port(shape, node, num);
	}
	printf("\n");
}

int
main(int argc, char **argv)
{
	struct shape *shape;

	if (argc != 2) {
		for (size_t i = 0; shape_name(i); i++) {
			printf("%s\n", shape_name(i));
		}
		return 0;
	}
	shape = shape_make(argv[1]);
	if (!shape) {
		fprintf(stderr, "fabric: no fabric is called %s\n", argv[1]);
		return 2;
	}
	for (uint32_t node = 0; node < shape->n_nodes; node++) {
		write_node(shape, node);
	}
	shape_free(shape);
	return fflush(stdout) ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "ibspeed/baseline.h"

#include <stdlib.h>
#include <string.h>

void
ibs_baseline_free(struct ibs_baseline *baseline)
{
	free(baseline->nodes);
	free(baseline->links);
	*baseline = (struct ibs_baseline){ .n_nodes = 0 };
}

void
ibs_baseline_as_node(const struct ibs_baseline_node *known,
		     struct ibs_node *ret_node)
{
	*ret_node = (struct ibs_node){ .guid = known->guid,
				       .port_guid = known->port_guid,
				       .instance = known->instance,
				       .type = known->type,
				       .vendor_id = known->vendor_id,
				       .device_id = known->device_id };
	memcpy(ret_node->desc, known->desc, sizeof(ret_node->desc));
}

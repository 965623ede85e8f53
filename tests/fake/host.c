// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "host.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ibspeed/map.h"

#define WAIT_MS	    5000
#define SWITCH_GUID 0x1000u
#define HOST_GUID   0x2000u

static void *
need(void *memory)
{
	if (!memory) {
		abort();
	}
	return memory;
}

static void
init_physp(osm_node_t *node, uint8_t num, uint64_t guid)
{
	osm_physp_t *physp = &node->physp_table[num];
	uint8_t *pi = (uint8_t *)&physp->port_info;

	physp->port_guid = cl_hton64(guid);
	physp->port_num = num;
	physp->p_node = node;
	physp->dr_path.hop_count = 1;
	physp->dr_path.path[1] = num;
	physp->port_info.m_key = cl_hton64(HOST_M_KEY);
	ib_port_info_set_port_state(&physp->port_info, IB_LINK_ACTIVE);
	physp->port_info.link_width_active = 2;
	pi[35] = 0x41; /* LinkSpeedActive QDR */
}

static osm_node_t *
add_node(struct host *host, uint64_t guid, uint8_t type, uint8_t n_physps)
{
	osm_node_t *node = need(
		calloc(1, sizeof(osm_node_t) + n_physps * sizeof(osm_physp_t)));

	node->physp_tbl_size = n_physps;
	node->node_info.node_type = type;
	node->node_info.num_ports = (uint8_t)(n_physps - 1);
	node->node_info.node_guid = cl_hton64(guid);
	node->node_info.port_guid = cl_hton64(guid);
	snprintf((char *)node->node_desc.description, IBS_DESC_SIZE, "fake");
	cl_qmap_insert(&host->osm->subn.node_guid_tbl, guid, &node->map_item);
	return node;
}

static void
add_switch(struct host *host, unsigned int i)
{
	osm_node_t *sw = add_node(host, SWITCH_GUID + i, IB_NODE_TYPE_SWITCH,
				  HOST_SWITCH_PORTS);
	osm_node_t *ca = add_node(host, HOST_GUID + i, IB_NODE_TYPE_CA, 3);

	sw->sw = need(calloc(1, sizeof(*sw->sw)));
	for (uint8_t num = 0; num < HOST_SWITCH_PORTS; num++) {
		init_physp(sw, num, SWITCH_GUID + i);
	}
	init_physp(ca, 1, HOST_GUID + i);
	ca->physp_table[1].p_remote_physp = &sw->physp_table[1];
	sw->physp_table[1].p_remote_physp = &ca->physp_table[1];
}

static void
init_osm(struct host *host)
{
	struct osm_opensm *osm = need(calloc(1, sizeof(*osm)));
	char log[128];

	host->osm = osm;
	snprintf(log, sizeof(log), "%s/log", host->dir);
	osm->osm_version = OSM_VERSION;
	osm->subn.p_osm = osm;
	osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	osm->subn.sm_port_guid = cl_hton64(HOST_GUID);
	osm->subn.opt.m_key = cl_hton64(HOST_M_KEY);
	osm->subn.opt.force_link_speed = 15;
	osm->subn.opt.force_link_speed_ext = 30;
	osm->subn.opt.force_link_width = 255;
	osm->sm.p_subn = &osm->subn;
	osm->sm.p_log = &osm->log;
	osm->sm.p_lock = &osm->lock;
	cl_qmap_init(&osm->subn.node_guid_tbl);
	if (cl_plock_init(&osm->lock) != CL_SUCCESS ||
	    osm_log_init_v2(&osm->log, TRUE, OSM_LOG_DEFAULT_LEVEL, log, 0,
			    FALSE) != IB_SUCCESS) {
		abort();
	}
}

void
host_new(struct host *host, unsigned int n_switches)
{
	void *handle = dlopen(PLUGIN_SO, RTLD_LAZY);

	*host = (struct host){ .dir = "/tmp/osmspeed.XXXXXX" };
	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		abort();
	}
	host->plugin = need(dlsym(handle, OSM_EVENT_PLUGIN_IMPL_NAME));
	need(mkdtemp(host->dir));
	init_osm(host);
	for (unsigned int i = 0; i < n_switches; i++) {
		add_switch(host, i);
	}
}

void
host_create(struct host *host, const char *mode, const char *options)
{
	char text[512];

	setenv("FAKE_MODE", mode, 1);
	setenv("FAKE_DIR", host->dir, 1);
	snprintf(text, sizeof(text), "osmspeed.recorder=%s %s", RECORDER,
		 options);
	free(host->osm->subn.opt.event_plugin_options);
	host->osm->subn.opt.event_plugin_options = need(strdup(text));
	host->data = host->plugin->create(host->osm);
}

void
host_report(struct host *host, osm_epi_event_id_t event)
{
	host->plugin->report(host->data, event, NULL);
}

int64_t
host_delete(struct host *host)
{
	int64_t start_ms = host_now_ms();

	host->plugin->delete (host->data);
	host->data = NULL;
	return host_now_ms() - start_ms;
}

static void
remove_dir(const char *path)
{
	DIR *dir = need(opendir(path));
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		unlinkat(dirfd(dir), entry->d_name, 0);
	}
	closedir(dir);
	rmdir(path);
}

void
host_free(struct host *host)
{
	cl_qmap_t *nodes = &host->osm->subn.node_guid_tbl;

	while (cl_qmap_head(nodes) != cl_qmap_end(nodes)) {
		osm_node_t *node = (osm_node_t *)cl_qmap_head(nodes);

		cl_qmap_remove_item(nodes, &node->map_item);
		free(node->sw);
		free(node);
	}
	osm_log_destroy(&host->osm->log);
	cl_plock_destroy(&host->osm->lock);
	free(host->osm->subn.opt.event_plugin_options);
	free(host->osm);
	remove_dir(host->dir);
}

int64_t
host_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

const char *
host_text(const struct host *host, const char *name, char *ret_text)
{
	char path[128];
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", host->dir, name);
	file = fopen(path, "re");
	if (file) {
		size = fread(ret_text, 1, HOST_TEXT_SIZE - 1, file);
		fclose(file);
	}
	ret_text[size] = 0;
	return ret_text;
}

unsigned int
host_count(const struct host *host, const char *name, const char *words)
{
	static char text[HOST_TEXT_SIZE];
	const char *at = host_text(host, name, text);
	unsigned int n_found = 0;

	while ((at = strstr(at, words))) {
		at += strlen(words);
		n_found++;
	}
	return n_found;
}

bool
host_wait(const struct host *host, const char *name, const char *words,
	  unsigned int n_times)
{
	int64_t deadline_ms = host_now_ms() + WAIT_MS;

	while (host_count(host, name, words) < n_times) {
		if (host_now_ms() > deadline_ms) {
			return false;
		}
		usleep(5000);
	}
	return true;
}

pid_t
host_recorder(const struct host *host, unsigned int n)
{
	static char text[HOST_TEXT_SIZE];
	const char *at;

	if (!host_wait(host, "starts", "\n", n + 1)) {
		return -1;
	}
	at = host_text(host, "starts", text);
	for (unsigned int i = 0; i < n; i++) {
		at = strchr(at, '\n') + 1;
	}
	return (pid_t)strtol(at, NULL, 10);
}

bool
host_is_gone(pid_t pid)
{
	return kill(pid, 0) && errno == ESRCH;
}

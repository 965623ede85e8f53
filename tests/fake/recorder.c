// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * A double of the recorder: notes that it was started, and with what, then
 * behaves as FAKE_MODE says.
 */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *
open_file(const char *name)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", getenv("FAKE_DIR"), name);
	file = fopen(path, "ae");
	if (!file) {
		exit(9);
	}
	return file;
}

static void
note_start(char **argv)
{
	FILE *file = open_file("starts");

	fprintf(file, "%d", (int)getpid());
	for (char **arg = argv + 1; *arg; arg++) {
		fprintf(file, " %s", *arg);
	}
	fputc('\n', file);
	fclose(file);
}

static int
eat(void)
{
	char name[32], bytes[4096];
	ssize_t n_bytes;
	FILE *file;

	snprintf(name, sizeof(name), "feed.%d", (int)getpid());
	file = open_file(name);
	while ((n_bytes = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
		fwrite(bytes, 1, (size_t)n_bytes, file);
		fflush(file);
	}
	fclose(file);
	return 0;
}

/* Not before its feed is full. */
static int
eat_late(void)
{
	usleep(500000);
	return eat();
}

static int
die(void)
{
	fputs("ibspeed: error: I die \t\n", stderr);
	return 3;
}

static int
wait_for_signal(void)
{
	while (pause() < 0) {
	}
	return 0;
}

static int
be_stubborn(void)
{
	signal(SIGTERM, SIG_IGN);
	return wait_for_signal();
}

static int
hang_up(void)
{
	close(STDIN_FILENO);
	return wait_for_signal();
}

static int
talk(void)
{
	while (fputs("talking without an end\n", stderr) >= 0) {
	}
	return 0;
}

/* A helper of its own that ignores the end of its input, and a death. */
static int
leave_orphan(void)
{
	if (fork() == 0) {
		FILE *file = open_file("orphan");

		fprintf(file, "%d\n", (int)getpid());
		fclose(file);
		return be_stubborn();
	}
	usleep(200000);
	return 4;
}

static const struct {
	const char *mode;
	int (*run)(void);
} modes[] = {
	{ "eat", eat },
	{ "late", eat_late },
	{ "die", die },
	{ "deaf", wait_for_signal },
	{ "stubborn", be_stubborn },
	{ "hang up", hang_up },
	{ "talk", talk },
	{ "orphan", leave_orphan },
};

int
main(int argc, char **argv)
{
	const char *mode = getenv("FAKE_MODE");

	(void)argc;
	note_start(argv);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (mode && strcmp(mode, modes[i].mode) == 0) {
			return modes[i].run();
		}
	}
	return 9;
}

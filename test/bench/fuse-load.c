/*
 * One round of file system work, for fuse.bench.ts:
 *
 *   fuse-load prepare FOLDER                      make what the operations need
 *   fuse-load OPERATION FOLDER CLIENTS COUNT      print the seconds that CLIENTS threads take for COUNT operations each
 *
 * The work is fixed and the time is measured, so that every file system is asked exactly the same. A unit of COUNT is a
 * file, a MiB (seqread, seqwrite) or a listing of 1,000 entries (readdir, ls). Any failed call ends the program with 1:
 * a time over less work would be a lie.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SMALL_FILES = 4096, SMALL_SIZE = 4096, LISTED = 1000, MEBIBYTE = 1 << 20, BIG_MEBIBYTES = 64, MAX_CLIENTS = 4 };

struct client {
    pthread_t thread;
    int id;
    long count;
    char *buffer; /* a MiB, page-aligned */
};

static const char *folder;
static pthread_barrier_t start_line;

__attribute__((format(printf, 2, 3))) static const char *below(char path[PATH_MAX], const char *format, ...) {
    va_list arguments;
    int length = snprintf(path, PATH_MAX, "%s/", folder);
    va_start(arguments, format);
    length += vsnprintf(path + length, (size_t)(PATH_MAX - length), format, arguments);
    va_end(arguments);
    if (length >= PATH_MAX) errx(1, "the folder's path is too long");
    return path;
}

static int must_open(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC, 0644);
    if (fd < 0) err(1, "open %s", path);
    return fd;
}

static void must_close(int fd) {
    if (close(fd) != 0) err(1, "close");
}

static void must_write(int fd, const char *buffer, ssize_t length) {
    if (write(fd, buffer, (size_t)length) != length) err(1, "write");
}

/* Clients begin at different files, lest one fill the caches for the next. */
static const char *small_file(char path[PATH_MAX], const struct client *client, long i) {
    return below(path, "small/%ld", (i + client->id * (SMALL_FILES / MAX_CLIENTS)) % SMALL_FILES);
}

static void run_stat(struct client *client) {
    char path[PATH_MAX];
    struct stat status;
    for (long i = 0; i < client->count; i++)
        if (stat(small_file(path, client, i), &status) != 0) err(1, "stat %s", path);
}

static void run_open(struct client *client) {
    char path[PATH_MAX];
    for (long i = 0; i < client->count; i++) {
        int fd = must_open(small_file(path, client, i), O_RDONLY);
        if (read(fd, client->buffer, SMALL_SIZE) != SMALL_SIZE) err(1, "read %s", path);
        must_close(fd);
    }
}

static void run_create(struct client *client) {
    char path[PATH_MAX];
    for (long i = 0; i < client->count; i++) {
        must_close(must_open(below(path, "made/%d-%ld", client->id, i), O_WRONLY | O_CREAT | O_EXCL));
        if (unlink(path) != 0) err(1, "unlink %s", path);
    }
}

static void run_seqread(struct client *client) {
    char path[PATH_MAX];
    int fd = must_open(below(path, "big/%d", client->id), O_RDONLY);
    if (client->count > BIG_MEBIBYTES) errx(1, "there are only %d MiB to read", BIG_MEBIBYTES);
    for (ssize_t left = client->count * MEBIBYTE, got; left > 0; left -= got)
        if ((got = read(fd, client->buffer, MEBIBYTE)) <= 0) err(1, "read %s", path);
    must_close(fd);
}

static void run_seqwrite(struct client *client) {
    char path[PATH_MAX];
    int fd = must_open(below(path, "made/written-%d", client->id), O_WRONLY | O_CREAT | O_TRUNC);
    for (long i = 0; i < client->count; i++) must_write(fd, client->buffer, MEBIBYTE);
    must_close(fd);
}

static void list(struct client *client, int with_status) {
    char path[PATH_MAX];
    struct stat status;
    for (long i = 0; i < client->count; i++) {
        int entries = 0;
        DIR *directory = opendir(below(path, "listed"));
        if (directory == NULL) err(1, "opendir %s", path);
        for (const struct dirent *entry; (entry = readdir(directory)) != NULL; entries++)
            if (with_status && fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
                err(1, "fstatat %s", entry->d_name);
        closedir(directory);
        /* Not every FUSE file system lists "." and "..". */
        if (entries != LISTED && entries != LISTED + 2) errx(1, "%s has %d entries", path, entries);
    }
}

static void run_readdir(struct client *client) { list(client, 0); }

static void run_ls(struct client *client) { list(client, 1); }

static const struct operation {
    const char *name;
    void (*run)(struct client *);
} operations[] = {
    {"stat", run_stat},         {"open", run_open},       {"create", run_create}, {"seqread", run_seqread},
    {"seqwrite", run_seqwrite}, {"readdir", run_readdir}, {"ls", run_ls},
};

static const struct operation *operation;

static void *client_main(void *argument) {
    pthread_barrier_wait(&start_line);
    operation->run(argument);
    return NULL;
}

static char *filled_buffer(void) {
    char *buffer = aligned_alloc(4096, MEBIBYTE);
    if (buffer == NULL) err(1, "aligned_alloc");
    return memset(buffer, 'x', MEBIBYTE);
}

static void prepare(void) {
    static const char *const folders[] = {"small", "listed", "big", "made"};
    char path[PATH_MAX];
    char *buffer = filled_buffer();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(below(path, "%s", folders[i]), 0755) != 0) err(1, "mkdir %s", path);
    for (int i = 0; i < SMALL_FILES; i++) {
        int fd = must_open(below(path, "small/%d", i), O_WRONLY | O_CREAT | O_EXCL);
        must_write(fd, buffer, SMALL_SIZE);
        must_close(fd);
    }
    for (int i = 0; i < LISTED; i++) must_close(must_open(below(path, "listed/entry-%d", i), O_WRONLY | O_CREAT | O_EXCL));
    for (int i = 0; i < MAX_CLIENTS; i++) {
        int fd = must_open(below(path, "big/%d", i), O_WRONLY | O_CREAT | O_EXCL);
        for (int j = 0; j < BIG_MEBIBYTES; j++) must_write(fd, buffer, MEBIBYTE);
        must_close(fd);
    }
    sync();
    free(buffer);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "prepare") == 0) {
        folder = argv[2];
        prepare();
        return 0;
    }
    int clients = argc == 5 ? atoi(argv[3]) : 0;
    long count = argc == 5 ? atol(argv[4]) : 0;
    for (size_t i = 0; argc == 5 && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, argv[1]) == 0) operation = &operations[i];
    if (operation == NULL || clients < 1 || clients > MAX_CLIENTS || count < 1) {
        fprintf(stderr, "usage: fuse-load prepare FOLDER | fuse-load OPERATION FOLDER CLIENTS COUNT\n");
        return 64;
    }
    folder = argv[2];
    struct client all[MAX_CLIENTS];
    pthread_barrier_init(&start_line, NULL, (unsigned)clients + 1);
    for (int i = 0; i < clients; i++) {
        all[i] = (struct client){.id = i, .count = count, .buffer = filled_buffer()};
        if (pthread_create(&all[i].thread, NULL, client_main, &all[i]) != 0) errx(1, "pthread_create");
    }
    /* Read before the barrier opens: a client may be done before this thread runs again. */
    double started = seconds();
    pthread_barrier_wait(&start_line);
    for (int i = 0; i < clients; i++) pthread_join(all[i].thread, NULL);
    printf("%.6f\n", seconds() - started);
    return 0;
}

/*
 * Light terminals, and the least that serves them, for `python -m bench sockets`.
 *
 *   sockets terminals PORT COUNT TABLES THINK_MS TOKENS    many terminals on one thread, told what to do on standard input
 *   sockets loop COUNT                                     a bare loop: it accepts that many, and writes what it is told to
 *
 * Both read one order on each line of standard input and answer with one line. A terminal understands as much of the protocol
 * as it needs to play: it looks for a few fields by their names, and thinks for a random time before it acts.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 8192, READ_BYTES = 1 << 20, LINE = 1024 };
enum { TABLE, COUNTS, SEAT, ACKNOWLEDGED, REFUSED, HISTORY, RULES, OTHER, KINDS };
static const char *const NAMES[KINDS] = {"table", "counts", "seat", "acknowledged", "refused", "history", "rules", "other"};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now_us(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1e6 + at.tv_nsec / 1e3;
}

static double cpu_us(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

static uint64_t chance = 88172645463325252ULL;
static uint32_t drawn(uint32_t below) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return below ? (uint32_t)((chance >> 11) % below) : 0;
}

/* --- frames ----------------------------------------------------------------------------------------------------------- */

/* Writes the head of a text frame; a terminal's has a mask, of zeros, so that the payload stays as it is. */
static int head(uint8_t *into, size_t size, int masked) {
    int at = 0;
    into[at++] = 0x81;
    if (size < 126) {
        into[at++] = (uint8_t)((masked ? 0x80 : 0) | size);
    } else {
        into[at++] = (uint8_t)((masked ? 0x80 : 0) | 126);
        into[at++] = (uint8_t)(size >> 8);
        into[at++] = (uint8_t)size;
    }
    if (masked) memset(into + at, 0, 4), at += 4;
    return at;
}

/* The size of a whole frame, or 0; `*start` is where its payload begins. */
static size_t whole(const uint8_t *in, size_t size, size_t *start, size_t *payload) {
    if (size < 2) return 0;
    size_t length = in[1] & 0x7f, at = 2;
    if (length == 126) {
        if (size < 4) return 0;
        length = (size_t)in[2] << 8 | in[3], at = 4;
    } else if (length == 127) {
        if (size < 10) return 0;
        length = 0, at = 10;
        for (int byte = 2; byte < 10; byte++) length = length << 8 | in[byte];
    }
    if (in[1] & 0x80) at += 4;
    *start = at, *payload = length;
    return size >= at + length ? at + length : 0;
}

/* --- terminals -------------------------------------------------------------------------------------------------------- */

typedef struct Line {
    int socket, open, table, seated, acts;
    struct Line *next; /* in the slot of the wheel in which it acts */
    uint8_t *rest;     /* the beginning of a frame that is not whole */
    size_t rest_size, rest_room;
    long round, bet_round, asked_round, asked_step;
    int to_do; /* 1 bet, 2 decide, 3 say something */
    char decision[12];
    long id;
    double sent;
} Line;

static struct {
    Line *all;
    int count, tables, think_ms, poll, open, playing;
    char prefix[64];
    Line *wheel[SLOTS];
    long wheel_at;
    double began;
    long frames[KINDS], bytes[KINDS], commands, command_bytes, answered, bets, decisions;
    float *bet_ms, *decision_ms;
    size_t bet_count, decision_count, room;
    /* of the first terminal's table: */
    long watched_round, rounds_left;
    double deadline, latest;
    char phase[16];
    int begun, over;
} hall;

static const char *field(const char *in, const char *name) {
    const char *found = strstr(in, name);
    return found ? found + strlen(name) : NULL;
}

static long number(const char *in, const char *name, long otherwise) {
    const char *found = field(in, name);
    return found ? strtol(found, NULL, 10) : otherwise;
}

static void say(Line *line, const char *text) {
    uint8_t frame[512];
    size_t size = strlen(text);
    int at = head(frame, size, 1);
    memcpy(frame + at, text, size);
    line->sent = now_us();
    if (write(line->socket, frame, at + size) != (ssize_t)(at + size)) fail("a terminal cannot write");
    hall.commands++, hall.command_bytes += at + size;
}

static void act_at(Line *line, double when_us) {
    long tick = (long)((when_us - hall.began) / 1000) + 1;
    if (tick <= hall.wheel_at) tick = hall.wheel_at + 1;
    if (tick >= hall.wheel_at + SLOTS) tick = hall.wheel_at + SLOTS - 1;
    line->next = hall.wheel[tick % SLOTS];
    hall.wheel[tick % SLOTS] = line;
    line->acts = 1;
}

static void act_soon(Line *line, int what) {
    line->to_do = what;
    if (!line->acts) act_at(line, now_us() + drawn(hall.think_ms * 1000 + 1));
}

static void act(Line *line) {
    char text[256];
    line->acts = 0;
    line->id++;
    if (line->to_do == 1) {
        snprintf(text, sizeof text, "{\"do\":\"bet\",\"id\":%ld,\"round\":%ld,\"wagers\":{\"blackjack\":1000,\"trilux\":500}}", line->id, line->round);
    } else if (line->to_do == 2) {
        snprintf(text, sizeof text, "{\"do\":\"decide\",\"id\":%ld,\"round\":%ld,\"step\":%ld,\"decision\":\"%s\"}", line->id, line->asked_round, line->asked_step, line->decision);
    } else {
        snprintf(text, sizeof text, "{\"do\":\"decide\",\"id\":%ld,\"round\":17,\"step\":1,\"decision\":\"stand\"}", line->id);
    }
    say(line, text);
}

static void turn_wheel(void) {
    long tick = (long)((now_us() - hall.began) / 1000);
    while (hall.wheel_at < tick) {
        Line *line = hall.wheel[++hall.wheel_at % SLOTS];
        hall.wheel[hall.wheel_at % SLOTS] = NULL;
        while (line) {
            Line *next = line->next;
            act(line);
            line = next;
        }
    }
}

static void answered(Line *line, int refused, const char *text) {
    float took = (float)((now_us() - line->sent) / 1000);
    if (refused && hall.frames[REFUSED] <= 3) fprintf(stderr, "refused: %.300s\n", text);
    hall.answered++;
    if (line->to_do == 1) {
        hall.bets++;
        if (hall.bet_count < hall.room) hall.bet_ms[hall.bet_count++] = took;
    } else if (line->to_do == 2) {
        hall.decisions++;
        if (hall.decision_count < hall.room) hall.decision_ms[hall.decision_count++] = took;
    }
    const char *seat = field(text, "\"seat\":");
    if (seat) line->seated = 1;
}

static void reset(void) {
    memset(hall.frames, 0, sizeof hall.frames), memset(hall.bytes, 0, sizeof hall.bytes);
    hall.commands = hall.command_bytes = hall.answered = hall.bets = hall.decisions = 0;
    hall.bet_count = hall.decision_count = 0;
    hall.latest = 0;
}

/* What the first terminal sees gives the beat of the measurement, and how late deadlines were. */
static void watch_beat(const char *text, long round) {
    double now = (double)number(text, "\"now\":", 0);
    const char *phase = field(text, "\"phase\":\"");
    if (hall.deadline && strncmp(phase, hall.phase, strlen(hall.phase)) && hall.begun && now > hall.deadline && now - hall.deadline > hall.latest)
        hall.latest = now - hall.deadline;
    snprintf(hall.phase, sizeof hall.phase, "%.*s", (int)strcspn(phase, "\""), phase);
    /* The deadline of a result is that of the next round's opening, which a shuffle may put off. */
    hall.deadline = strcmp(hall.phase, "result") ? (double)number(text, "\"deadline\":", 0) : 0;
    if (!strcmp(hall.phase, "betting") && round != hall.watched_round) {
        hall.watched_round = round;
        if (!hall.begun) {
            hall.begun = 1;
            reset();
            printf("begun\n"), fflush(stdout);
        } else if (--hall.rounds_left == 0) {
            hall.over = 1;
        }
    }
}

static void saw_table(Line *line, const char *text) {
    long round = number(text, "\"round\":", 0);
    line->round = round;
    if (line == hall.all && hall.playing) watch_beat(text, round);
    const char *phase = field(text, "\"phase\":\"");
    if (hall.playing && line->seated && phase && !strncmp(phase, "betting", 7) && round != line->bet_round) {
        line->bet_round = round;
        act_soon(line, 1);
    }
}

static void saw_seat(Line *line, const char *text) {
    const char *question = field(text, "\"question\":{");
    if (!question || !hall.playing) return;
    long round = number(text, "\"round\":", 0), step = number(text, "\"step\":", 0);
    if (round == line->asked_round && step == line->asked_step) return;
    line->asked_round = round, line->asked_step = step;
    if (strstr(question, "\"decline\"")) {
        strcpy(line->decision, "decline");
    } else {
        strcpy(line->decision, number(text, "\"total\":", 0) < 15 ? "hit" : "stand");
    }
    act_soon(line, 2);
}

static void heard(Line *line, char *text, size_t size) {
    char after = text[size];
    text[size] = 0;
    int kind = OTHER;
    const char *is = text + 7; /* {"is":" */
    for (int each = 0; each < OTHER; each++) {
        size_t length = strlen(NAMES[each]);
        if (!strncmp(is, NAMES[each], length) && is[length] == '"') kind = each;
    }
    hall.frames[kind]++, hall.bytes[kind] += (long)size;
    if (kind == TABLE) saw_table(line, text);
    else if (kind == SEAT) saw_seat(line, text);
    else if (kind == ACKNOWLEDGED || kind == REFUSED) answered(line, kind == REFUSED, text);
    text[size] = after;
}

static uint8_t incoming[READ_BYTES + 1];

static void receive(Line *line) {
    size_t size = line->rest_size;
    if (size) memcpy(incoming, line->rest, size);
    ssize_t got = read(line->socket, incoming + size, READ_BYTES - size);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) fprintf(stderr, "a terminal was sent away\n"), exit(1);
    size += (size_t)got;
    size_t at = 0, start, payload, frame;
    if (!line->open) {
        incoming[size] = 0;
        char *end = strstr((char *)incoming, "\r\n\r\n");
        if (end) {
            if (strncmp((char *)incoming, "HTTP/1.1 101", 12)) fprintf(stderr, "%.300s\n", incoming), exit(1);
            line->open = 1, hall.open++;
            at = (size_t)(end + 4 - (char *)incoming);
        }
    }
    while (line->open && (frame = whole(incoming + at, size - at, &start, &payload))) {
        int kind = incoming[at] & 0x0f;
        if (kind == 1) heard(line, (char *)incoming + at + start, payload);
        if (kind == 9) {
            uint8_t pong[6] = {0x8a, 0x80, 0, 0, 0, 0};
            if (write(line->socket, pong, 6) != 6) fail("a terminal cannot write");
        }
        if (kind == 8) fprintf(stderr, "goodbye: %.*s\n", (int)payload, (char *)incoming + at + start), exit(1);
        at += frame;
    }
    line->rest_size = size - at;
    if (line->rest_size > line->rest_room) {
        line->rest_room = line->rest_size * 2;
        line->rest = realloc(line->rest, line->rest_room);
    }
    memcpy(line->rest, incoming + at, line->rest_size);
}

static void pump(int wait_ms) {
    struct epoll_event ready[512];
    int count = epoll_wait(hall.poll, ready, 512, wait_ms);
    for (int each = 0; each < count; each++) receive(ready[each].data.ptr);
    turn_wheel();
}

static int by_size(const void *one, const void *other) {
    float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static void percentiles(const char *name, float *taken, size_t count) {
    qsort(taken, count, sizeof *taken, by_size);
    if (!count) taken[count++] = 0;
    printf("\"%s\": [%.2f, %.2f, %.2f], ", name, taken[count / 2], taken[count * 99 / 100], taken[count - 1]);
}

static void report(void) {
    printf("{\"frames\": {");
    for (int kind = 0; kind < KINDS; kind++) printf("%s\"%s\": [%ld, %ld]", kind ? ", " : "", NAMES[kind], hall.frames[kind], hall.bytes[kind]);
    printf("}, ");
    percentiles("bet_ms", hall.bet_ms, hall.bet_count);
    percentiles("decision_ms", hall.decision_ms, hall.decision_count);
    printf("\"commands\": %ld, \"command_bytes\": %ld, \"bets\": %ld, \"decisions\": %ld, \"late_ms\": %.0f}\n", hall.commands,
           hall.command_bytes, hall.bets, hall.decisions, hall.latest);
    fflush(stdout);
}

static void connect_all(int port, char *const *tokens) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    for (int each = 0; each < hall.count; each++) {
        Line *line = &hall.all[each];
        line->socket = socket(AF_INET, SOCK_STREAM, 0);
        if (line->socket < 0 || connect(line->socket, (struct sockaddr *)&there, sizeof there)) fail("connect");
        int yes = 1;
        setsockopt(line->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        char asked[512];
        int size = snprintf(asked, sizeof asked,
                            "GET /ws?tab=t%d HTTP/1.1\r\nHost: localhost\r\nCookie: podium=%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", each, tokens[each]);
        if (write(line->socket, asked, (size_t)size) != size) fail("handshake");
        fcntl(line->socket, F_SETFL, O_NONBLOCK);
        struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = line};
        epoll_ctl(hall.poll, EPOLL_CTL_ADD, line->socket, &wanted);
        while (each - hall.open > 64) pump(100);
    }
    while (hall.open < hall.count) pump(100);
}

/* Every terminal says the same, a few hundred at once, until all are answered. */
static void everybody(const char *what, int count) {
    char text[256];
    hall.answered = 0;
    for (int each = 0; each < count; each++) {
        Line *line = &hall.all[each];
        line->to_do = 0;
        line->id++;
        if (!strcmp(what, "watch")) snprintf(text, sizeof text, "{\"do\":\"watch\",\"id\":%ld,\"table\":\"t%d\"}", line->id, each % hall.tables + 1);
        else snprintf(text, sizeof text, "{\"do\":\"join\",\"id\":%ld}", line->id);
        say(line, text);
        while (each + 1 - hall.answered > 200) pump(100);
    }
    while (hall.answered < count) pump(100);
}

static void settle_down(double quiet_ms) {
    double until = now_us() + quiet_ms * 1000;
    while (now_us() < until) pump(5);
}

static int terminals(char **asked) {
    int port = atoi(asked[0]);
    hall.count = atoi(asked[1]), hall.tables = atoi(asked[2]), hall.think_ms = atoi(asked[3]);
    hall.all = calloc((size_t)hall.count, sizeof *hall.all);
    hall.room = (size_t)hall.count * 400;
    hall.bet_ms = malloc(hall.room * sizeof(float)), hall.decision_ms = malloc(hall.room * sizeof(float));
    hall.poll = epoll_create1(0);
    hall.began = now_us();
    char **tokens = calloc((size_t)hall.count, sizeof *tokens), order[LINE];
    FILE *file = fopen(asked[4], "r");
    if (!file) fail(asked[4]);
    for (int each = 0; each < hall.count; each++) {
        if (!fgets(order, sizeof order, file)) fprintf(stderr, "too few tokens\n"), exit(1);
        tokens[each] = strndup(order, strcspn(order, "\n"));
    }
    fclose(file);
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    size_t had = 0;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, order + had, sizeof order - 1 - had);
        if (got == 0) return 0;
        if (got > 0) had += (size_t)got;
        order[had] = 0;
        char *end = strchr(order, '\n');
        if (!end) {
            pump(2);
            continue;
        }
        *end = 0;
        long a = 0, b = 0;
        if (!strcmp(order, "connect")) {
            connect_all(port, tokens);
        } else if (!strcmp(order, "watch")) {
            everybody("watch", hall.count);
        } else if (sscanf(order, "join %ld", &a) == 1) {
            everybody("join", (int)a);
        } else if (sscanf(order, "quiet %ld", &a) == 1) {
            settle_down((double)a);
        } else if (sscanf(order, "play %ld", &a) == 1) {
            hall.playing = 1, hall.begun = 0, hall.over = 0, hall.rounds_left = a;
            while (!hall.over) pump(2);
            report();
        } else if (sscanf(order, "talk %ld %ld", &a, &b) == 2) {
            /* Each says so much within so many milliseconds; what comes meanwhile is read. */
            reset();
            double from = now_us(), until = from + (double)b * 1000;
            for (long turn = 0; turn < a; turn++) {
                for (int each = 0; each < hall.count; each++) {
                    hall.all[each].to_do = 3;
                    act_at(&hall.all[each], from + ((double)turn + drawn(900) / 1000.0) * (double)b * 1000 / (double)a);
                }
                while (now_us() < from + (double)((turn + 1) * b) * 1000 / (double)a) pump(2);
            }
            while (now_us() < until || hall.answered < (long)hall.count * a) pump(2);
            report();
        }
        printf("done\n"), fflush(stdout);
        had -= (size_t)(end + 1 - order);
        memmove(order, end + 1, had);
    }
}

/* --- the bare loop ---------------------------------------------------------------------------------------------------- */

static void put(int socket, const uint8_t *frame, size_t size) {
    while (write(socket, frame, size) != (ssize_t)size) {
        if (errno != EAGAIN) fail("the loop cannot write");
        usleep(100);
    }
}

static uint8_t *frame_of(size_t payload, size_t *size) {
    uint8_t *made = malloc(payload + 16);
    int at = head(made, payload, 0);
    memset(made + at, 'x', payload);
    memcpy(made + at, "{\"is\":\"other\"", payload < 13 ? payload : 13);
    *size = (size_t)at + payload;
    return made;
}

/* `go MS FRAMES BYTES OWN BYTES ANSWER_BYTES`: so many frames for everybody in the time, and an answer to all that comes. */
static void serve(const char *order, int poll, const int *sockets, int count) {
    long ms, broadcasts, table_bytes, own, own_bytes, answer_bytes;
    sscanf(order, "go %ld %ld %ld %ld %ld %ld", &ms, &broadcasts, &table_bytes, &own, &own_bytes, &answer_bytes);
    size_t table_size, own_size, answer_size;
    uint8_t *table = frame_of((size_t)table_bytes, &table_size), *mine = frame_of((size_t)own_bytes, &own_size);
    uint8_t *answer = frame_of((size_t)answer_bytes, &answer_size);
    memcpy(answer + head((uint8_t[16]){0}, (size_t)answer_bytes, 0), "{\"is\":\"acknowledged\"", 20);
    long all = broadcasts + own, written = 0, answered = 0;
    double from = now_us(), used = cpu_us();
    static uint8_t in[65536];
    while (now_us() < from + (double)ms * 1000 || written < all) {
        if (written < all && now_us() >= from + (double)ms * 1000 * (double)written / (double)all) {
            /* Own frames and those for everybody take turns as their numbers say. */
            int is_own = written * own / all != (written + 1) * own / all;
            for (int each = 0; each < count; each++) put(sockets[each], is_own ? mine : table, is_own ? own_size : table_size);
            written++;
        }
        struct epoll_event ready[512];
        double next = written < all ? (double)ms * 1000 * (double)written / (double)all : (double)ms * 1000;
        double left = (from + next - now_us()) / 1000;
        int found = epoll_wait(poll, ready, 512, left > 0 ? (int)left + 1 : 0);
        for (int each = 0; each < found; each++) {
            size_t start, payload, frame, at = 0;
            ssize_t got = read(ready[each].data.fd, in, sizeof in);
            if (got <= 0) fail("the loop cannot read");
            while ((frame = whole(in + at, (size_t)got - at, &start, &payload))) {
                put(ready[each].data.fd, answer, answer_size);
                answered++, at += frame;
            }
        }
    }
    printf("{\"cpu_us\": %.0f, \"written\": %ld, \"answered\": %ld}\n", cpu_us() - used, written * count, answered);
}

static int loop(char **asked) {
    int count = atoi(asked[0]), *sockets = calloc((size_t)count, sizeof *sockets), poll = epoll_create1(0);
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof here;
    if (bind(door, (struct sockaddr *)&here, size) || listen(door, 4096)) fail("listen");
    getsockname(door, (struct sockaddr *)&here, &size);
    printf("%d\n", ntohs(here.sin_port)), fflush(stdout);
    static const char yes[] = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
    for (int each = 0; each < count; each++) {
        char request[4096];
        int line = sockets[each] = accept(door, NULL, NULL), on = 1;
        if (line < 0 || read(line, request, sizeof request) <= 0) fail("accept");
        put(line, (const uint8_t *)yes, sizeof yes - 1);
        setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        fcntl(line, F_SETFL, O_NONBLOCK);
        struct epoll_event wanted = {.events = EPOLLIN, .data.fd = line};
        epoll_ctl(poll, EPOLL_CTL_ADD, line, &wanted);
    }
    char order[LINE];
    while (fgets(order, sizeof order, stdin)) {
        serve(order, poll, sockets, count);
        fflush(stdout);
    }
    return 0;
}

int main(int count, char **asked) {
    if (count == 7 && !strcmp(asked[1], "terminals")) return terminals(asked + 2);
    if (count == 3 && !strcmp(asked[1], "loop")) return loop(asked + 2);
    fprintf(stderr, "sockets terminals PORT COUNT TABLES THINK_MS TOKENS | sockets loop COUNT\n");
    return 2;
}

/* The same work as the simulation of Three Card Poker, as a plain scalar C loop: ante, play and ante bonus of one player who decides
   with nine cards in sight by the same tables, a shuffled deck for every round, xoshiro256++. The measure for bench/poker.py. */

#include <stdint.h>

#include "xoshiro.h"

enum { FOLD, PLAY, LOOK };
enum { SEEN = 9, CARDS = 12, PACKETS = 12341 };

typedef struct {
    const int16_t *places;              /* of hands in the order of hands, by ranks, unsuited and suited */
    const int64_t *fates;               /* what ante and play come to, by the kind of showdown */
    const int8_t *plan;                 /* fold, play or look, by the place of the hand */
    const int64_t *bonus;               /* by the place of the hand */
    const int64_t *row;                 /* of the tables below, by the place of the hand */
    const int8_t *by_idle;              /* what the number of idle cards decides */
    const int64_t *every;               /* what the dealer's packets are worth: all of them, by row, */
    const int16_t *ones, *twos, *worth; /* those with a card, with two cards, and each by the place of its hand */
    int64_t hands, qualifies, ante;
} Game;

static int place_of(const Game *g, int first, int second, int third) {
    int suited = (((first ^ second) | (first ^ third)) & 3) == 0;
    return g->places[suited * 13 * 13 * 13 + ((first >> 2) * 13 + (second >> 2)) * 13 + (third >> 2)];
}

static int plays(const Game *g, const uint8_t *cards, int own) {
    int plan = g->plan[own], many = 0;
    if (plan != LOOK) return plan == PLAY;
    int64_t row = g->row[own], worth = g->every[row];
    const int16_t *ones = g->ones + row * 52, *twos = g->twos + row * 52 * 52, *threes = g->worth + row * g->hands;
    uint8_t live[SEEN];
    for (int place = 0; place < SEEN; place++)
        if (ones[cards[place]]) live[many++] = cards[place];
    int decided = g->by_idle[own * (SEEN + 1) + SEEN - many];
    if (decided != LOOK) return decided == PLAY;
    for (int x = 0; x < many; x++) {
        worth -= ones[live[x]];
        for (int y = 0; y < x; y++) {
            worth += twos[live[x] * 52 + live[y]];
            for (int z = 0; z < y; z++) worth -= threes[place_of(g, live[x], live[y], live[z])];
        }
    }
    return worth >= PACKETS;
}

/* Plays rounds and gives the sum of their results; `squares` gets the sum of the squares. */
int64_t play(const Game *g, uint64_t *stream, uint8_t *cards, int64_t rounds, double *squares) {
    int64_t sum = 0;
    double square = 0;
    for (int64_t round = 0; round < rounds; round++) {
        shuffle(stream, cards, 52, CARDS);
        int own = place_of(g, cards[0], cards[1], cards[2]);
        int64_t net = -g->ante;
        if (plays(g, cards, own)) {
            int dealers = place_of(g, cards[SEEN], cards[SEEN + 1], cards[SEEN + 2]);
            int kind = dealers < g->qualifies ? 3 : own > dealers ? 2 : own == dealers;
            net = g->fates[kind] + g->bonus[own];
        }
        sum += net;
        square += (double)net * (double)net;
    }
    *squares = square;
    return sum;
}

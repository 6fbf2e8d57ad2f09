/* The same work as the simulation's fast path, as a plain scalar C loop: community blackjack, main wager, one player who
   follows the same tables, real shoes with a cut card, xoshiro256++. The measure for bench/simulation.py. */

#include <stdint.h>

#include "xoshiro.h"

enum { STAND, HIT, DOUBLE, SPLIT, SURRENDER };
enum { PLAYING, STOOD, BUST, NATURAL, SURRENDERED };

typedef struct {
    const int64_t *after, *points, *pairs; /* the hand after a card; its total; the hand of a pair */
    const uint8_t *may_double;             /* from a split or not, by hand */
    const int8_t *first, *split, *limit;   /* the policy of a player who never insures */
    int64_t hands;                         /* how many hands there are */
    int64_t wager, splits, hits_soft_17, natural_pays, natural_per;
} Game;

typedef struct {
    int64_t hand, held, stake, added, doubled, ended;
} Hand;

static int may_split(const Game *g, const Hand *hands, int count, int index, int pair) {
    return count <= g->splits && hands[index].hand == g->pairs[pair] && (count == 1 || pair != 0);
}

static void take(const Game *g, Hand *hands, int count, int index, int pair, int value) {
    Hand *own = &hands[index];
    int64_t hand = g->after[own->hand * 10 + value];
    own->held++;
    if (hand < 0) {
        own->ended = BUST;
        return;
    }
    own->hand = hand;
    if (own->doubled || g->points[hand] == 21)
        own->ended = STOOD;
    else if (count > 1 && pair == 0 && own->held == 2)
        own->ended = STOOD;
}

static int chosen(const Game *g, const Hand *hands, int count, int index, int up, int pair) {
    const Hand *own = &hands[index];
    int action;
    if (count == 1) {
        action = g->first[up * g->hands + own->hand];
        if (action == SURRENDER) return own->held == 2 ? SURRENDER : HIT;
        if (action == SPLIT) return pair >= 0 && own->held == 2 && may_split(g, hands, count, index, pair) ? SPLIT : HIT;
    } else {
        if (own->held == 2 && count - 1 < g->limit[up * 10 + pair] && may_split(g, hands, count, index, pair)) return SPLIT;
        action = g->split[(((index > 0) * 10 + up) * 10 + pair) * g->hands + own->hand];
    }
    if (action == DOUBLE && !(own->held == 2 && g->may_double[(count > 1) * g->hands + own->hand])) return HIT;
    return action;
}

/* Plays rounds and gives the sum of their results; `squares` gets the sum of the squares. */
int64_t play(const Game *g, uint64_t *stream, uint8_t *cards, int count_cards, int cut, int needed, int64_t rounds,
             double *squares) {
    int at = count_cards;
    int64_t sum = 0;
    double square = 0;
    Hand hands[6];
    for (int64_t round = 0; round < rounds; round++) {
        if (at >= cut) {
            shuffle(stream, cards, count_cards, needed);
            at = 0;
        }
        int first = cards[at], up = cards[at + 1], second = cards[at + 2], pair = first == second ? first : -1;
        int count = 1, index = 0, standing = 0, natural = 0, looks = 0;
        at += 3;
        hands[0] = (Hand){g->after[g->after[first] * 10 + second], 2, g->wager, 0, 0, PLAYING};
        if (g->points[hands[0].hand] == 21) hands[0].ended = NATURAL;
        while (index < count) {
            Hand *own = &hands[index];
            if (own->ended) {
                standing |= own->ended == STOOD;
                natural |= own->ended == NATURAL;
                index++;
            } else if (own->held == 1) {
                take(g, hands, count, index, pair, cards[at++]);
            } else {
                int action = chosen(g, hands, count, index, up, pair);
                if (action == STAND) {
                    own->ended = STOOD;
                } else if (action == SURRENDER) {
                    own->ended = SURRENDERED;
                } else if (action == SPLIT) {
                    for (int later = count; later > index + 1; later--) hands[later] = hands[later - 1];
                    own->hand = g->after[pair];
                    own->held = 1;
                    hands[index + 1] = (Hand){g->after[pair], 1, g->wager, g->wager, 0, PLAYING};
                    count++;
                } else {
                    if (action == DOUBLE) {
                        own->stake += g->wager;
                        own->added += g->wager;
                        own->doubled = 1;
                    }
                    take(g, hands, count, index, pair, cards[at++]);
                }
            }
        }
        int points = 0, blackjack = 0;
        looks = standing || (natural && (up == 0 || up == 9));
        if (looks) {
            int dealers = cards[at++], hard = up + dealers + 2, ace = up == 0 || dealers == 0;
            blackjack = (up == 0 && dealers == 9) || (up == 9 && dealers == 0);
            while (standing) {
                int soft = ace && hard <= 11;
                points = soft ? hard + 10 : hard;
                if (points > 17 || (points == 17 && !(soft && g->hits_soft_17))) break;
                dealers = cards[at++];
                hard += dealers + 1;
                ace |= dealers == 0;
            }
        }
        int64_t net = 0;
        for (index = 0; index < count; index++) {
            const Hand *own = &hands[index];
            int64_t total = own->ended == STOOD ? g->points[own->hand] : 0, back;
            if (own->ended == BUST)
                back = 0;
            else if (own->ended == SURRENDERED)
                back = own->stake / 2;
            else if (own->ended == NATURAL)
                back = blackjack ? own->stake : own->stake + own->stake * g->natural_pays / g->natural_per;
            else if (blackjack)
                back = own->added;
            else if (points > 21 || total > points)
                back = 2 * own->stake;
            else
                back = total == points ? own->stake : 0;
            net += back - own->stake;
        }
        sum += net;
        square += (double)net * (double)net;
    }
    *squares = square;
    return sum;
}

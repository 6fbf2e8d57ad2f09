/* Random numbers and shuffling for the plain C loops: xoshiro256++, Lemire's numbers below a bound, Fisher and Yates. */

#include <stdint.h>

static uint64_t next_bits(uint64_t *s) {
    uint64_t sum = s[0] + s[3], bits = ((sum << 23) | (sum >> 41)) + s[0], shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return bits;
}

static uint32_t below(uint64_t *s, uint32_t bound) {
    uint64_t product = (next_bits(s) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t least = -bound % bound;
        while ((uint32_t)product < least) product = (next_bits(s) >> 32) * bound;
    }
    return product >> 32;
}

static void shuffle(uint64_t *s, uint8_t *cards, int count, int needed) {
    for (int place = 0; place < needed && place < count - 1; place++) {
        int other = place + below(s, count - place);
        uint8_t held = cards[place];
        cards[place] = cards[other];
        cards[other] = held;
    }
}

/**
 * Bytes of the shortest key that is accepted for a secret that people choose themselves: 112
 * bits, below which NIST disallows keys for making an HMAC. Whoever sees one delivery can
 * guess at the secret offline, as fast as they like.
 *
 * @see https://doi.org/10.6028/NIST.SP.800-131Ar2 section 10
 */
export const SHORTEST_CHOSEN_KEY_BYTES = 14;

// What a basket of articles costs. Prices are whole cents.

/** @param {readonly { cents: number, count: number }[]} lines */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}

/**
 * @param {number} cents
 * @param {number} percent
 */
export function discounted(cents, percent) {
  return cents - (cents * percent) / 100;
}

/** @param {number} cents */
export function format(cents) {
  return `${(cents / 100).toFixed(2)} EUR`;
}

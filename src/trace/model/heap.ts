// What has the least rank comes first. Runs in browsers too.
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #rankOf: (item: T) => number;

  constructor(rankOf: (item: T) => number) {
    this.#rankOf = rankOf;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#rankAt(above) <= this.#rankAt(at)) return;
      this.#swap(above, at);
      at = above;
    }
  }

  /** Takes the first one out. */
  take(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    items[0] = last;
    this.#sink();
    return first;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const right = left + 1;
      let least = at;
      if (left < this.#items.length && this.#rankAt(left) < this.#rankAt(least)) least = left;
      if (right < this.#items.length && this.#rankAt(right) < this.#rankAt(least)) least = right;
      if (least === at) return;
      this.#swap(least, at);
      at = least;
    }
  }

  #rankAt(at: number): number {
    return this.#rankOf(this.#items[at] as T); // inside the list
  }

  #swap(one: number, other: number): void {
    const item = this.#items[one] as T; // inside the list
    this.#items[one] = this.#items[other] as T; // inside the list
    this.#items[other] = item;
  }
}

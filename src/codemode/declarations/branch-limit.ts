// TypeScript multiplies an intersection of unions out and refuses more than 100,000 branches.
import type { Definition, IntersectionNode, TypeNode } from "./type-node.js";

const MAX_BRANCHES = 1_000;

/** Takes the widest unions out of intersections that would have too many branches; the type gets wider. */
export class BranchLimit {
  readonly #ofDefinition = new Map<Definition, number>();

  shorten(node: IntersectionNode): void {
    const counted = node.parts.map((part) => ({ part, count: this.#count(part) }));
    let product = counted.reduce((sofar, { count }) => sofar * count, 1);
    if (product <= MAX_BRANCHES) return;
    const dropped = new Set<TypeNode>();
    for (const { part, count } of counted.toSorted((a, b) => b.count - a.count)) {
      if (product <= MAX_BRANCHES || dropped.size === counted.length - 1) break;
      product /= count;
      dropped.add(part);
    }
    node.parts = node.parts.filter((part) => !dropped.has(part));
  }

  #count(node: TypeNode): number {
    switch (node.kind) {
      case "union":
        return node.parts.reduce((sum, part) => sum + this.#count(part), 0);
      case "intersection":
        return node.parts.reduce((product, part) => product * this.#count(part), 1);
      case "reference":
        return this.#countOf(node.definition);
      default:
        return 1;
    }
  }

  #countOf(definition: Definition): number {
    const known = this.#ofDefinition.get(definition);
    if (known !== undefined) return known;
    this.#ofDefinition.set(definition, 1); // for a definition that leads back to itself
    const count = this.#count(definition.node);
    this.#ofDefinition.set(definition, count);
    return count;
  }
}

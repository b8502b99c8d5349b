// The open calls below one call, or of one executor, in the order in which they were made. A list through the calls
// themselves: a Set leaves a trail of old tables behind, each of which keeps calls alive until the next full collection.
import type { CallScope } from "./call-scope.js";

export class ScopeList {
  first: CallScope | undefined = undefined;
  last: CallScope | undefined = undefined;

  add(scope: CallScope): void {
    scope.previousSibling = this.last;
    if (this.last === undefined) this.first = scope;
    else this.last.nextSibling = scope;
    this.last = scope;
  }

  remove(scope: CallScope): void {
    const { previousSibling, nextSibling } = scope;
    if (previousSibling === undefined) this.first = nextSibling;
    else previousSibling.nextSibling = nextSibling;
    if (nextSibling === undefined) this.last = previousSibling;
    else nextSibling.previousSibling = previousSibling;
    scope.previousSibling = undefined;
    scope.nextSibling = undefined;
  }

  /** The calls of this moment. */
  toArray(): CallScope[] {
    const scopes: CallScope[] = [];
    for (let scope = this.first; scope !== undefined; scope = scope.nextSibling) scopes.push(scope);
    return scopes;
  }
}

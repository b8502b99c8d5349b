// `pi.events`: how extensions talk to each other.
import { callUnheard } from "../unheard.js";

export interface EventBus {
  emit(channel: string, data: unknown): void;
  /** Returns a function that takes the handler away. */
  on(channel: string, handler: (data: unknown) => void): () => void;
}

/** @param report - Gets what a handler throws or rejects with; the others are called all the same. */
export function createEventBus(report: (channel: string, error: unknown) => void): EventBus {
  const handlers = new Map<string, readonly ((data: unknown) => unknown)[]>();
  return {
    emit: (channel, data) => {
      for (const handler of handlers.get(channel) ?? []) {
        callUnheard(
          () => handler(data),
          (error) => report(channel, error),
        );
      }
    },
    on: (channel, handler) => {
      const own = (data: unknown) => handler(data); // one function may be added twice
      handlers.set(channel, [...(handlers.get(channel) ?? []), own]);
      return () => {
        const left = (handlers.get(channel) ?? []).filter((other) => other !== own);
        if (left.length === 0) handlers.delete(channel);
        else handlers.set(channel, left);
      };
    },
  };
}

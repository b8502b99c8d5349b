import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { discounted, format, total } from "../src/basket.js";

describe("total", () => {
  test("an empty basket costs nothing", () => {
    assert.equal(total([]), 0);
  });

  test("every line counts as often as it is in the basket", () => {
    const lines = [
      { cents: 350, count: 2 },
      { cents: 420, count: 1 },
    ];
    assert.equal(total(lines), 1120);
  });
});

describe("discounted", () => {
  test("a discount is taken off", () => {
    assert.equal(discounted(1000, 10), 900);
  });

  test("a discount leaves whole cents", () => {
    assert.equal(discounted(335, 10), 302);
  });
});

describe("format", () => {
  test("cents have two digits", () => {
    assert.equal(format(1105), "11.05 EUR");
  });
});

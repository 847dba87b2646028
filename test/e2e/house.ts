import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startBrowser } from '../simulator/browser.ts';
import { type Product, startProduct } from './product.ts';

/** The product and a browser, for all tests of a file. */
export function useHouse(): { readonly product: Product; readonly browser: Browser } {
  let product: Product | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });
  return {
    get product() {
      if (product === undefined) throw new Error('The product has not started.');
      return product;
    },
    get browser() {
      if (browser === undefined) throw new Error('The browser has not started.');
      return browser;
    },
  };
}

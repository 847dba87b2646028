/** Where webhooks go; an empty secret sends no header. */
export type Target = { readonly path: string; readonly secret: string };

/** Posts in their order, one entry of each column a post. */
export type Posts = {
  readonly target: Int32Array;
  readonly chatId: Float64Array;
  readonly text: Uint8Array;
  readonly updateId: Float64Array;
};

/** What the load process is asked to do. */
export type Plan = {
  readonly port: number;
  readonly connections: number;
  readonly targets: readonly Target[];
  readonly texts: readonly string[];
  readonly posts: Posts;
  /** Without a rate: as fast as the connections go, each posting again when it was answered. */
  readonly ratePerSecond?: number;
  readonly stopAfterMs?: number;
};

/** When each post was written and answered (CLOCK_MONOTONIC, ms; NaN where it was not) and with what status; 0: none. */
export type Sent = {
  readonly count: number;
  readonly posted: Float64Array;
  readonly answered: Float64Array;
  readonly status: Uint16Array;
  /** With a rate: by how much the worst post was late. */
  readonly lateMsMax: number;
};

export type LoadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sent'; readonly sent: Sent }
  | { readonly kind: 'failed'; readonly reason: string };

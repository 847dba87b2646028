// Files of a project in stored parameters, and who uploads them.

/** How a file of the project stands in stored parameters, until Telegram knows it. */
export type StoredFile = { $file: { sha256: string; kind: string } };

/** True where files may have to be uploaded: such a call lasts as long as bytes keep moving. */
export const hasFiles = (body: string): boolean => body.includes('"$file"');

/** The name of a file among those of its bot: Telegram gives the same bytes another id for each kind. */
export const fileKey = (file: StoredFile['$file']): string => `${file.kind} ${file.sha256}`;

/** The file of a key. */
export function fileOf(key: string): StoredFile['$file'] {
  const [kind = '', sha256 = ''] = key.split(' ');
  return { sha256, kind };
}

/** The keys of all files in these parameters, each once. */
export function filesOf(params: string): readonly string[] {
  if (!hasFiles(params)) return none;
  const keys = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const file = (value as Partial<StoredFile>).$file;
    if (file) keys.add(fileKey(file));
    else for (const inner of Object.values(value)) look(inner);
  };
  look(JSON.parse(params));
  return [...keys];
}

const none: readonly string[] = [];

/** Places for uploads in a process and of one bot. A file takes one, a message never more than a bot has. */
export const uploadsMax = 12;
export const botUploadsMax = 4;
/** What is known of files, for all bots together; forgotten beyond this, and found in the table again. */
const namesMax = 20_000;

type Traveller = { readonly integrationId: number; readonly files: readonly string[] };
type BotFlights = { places: number; readonly flying: Map<string, Traveller> };
type Claim = { readonly keys: readonly string[]; readonly places: number };

/**
 * One flight a file and bot. Until Telegram has named a file, one message carries it, and whatever else wants it waits in its
 * line: unmarked, without a byte of it, and no hindrance to a bucket that is given back. A flight that
 * fails ends like one that does well; then the next message is the flight.
 */
export class Flights {
  readonly #bots = new Map<number, BotFlights>();
  readonly #claims = new Map<Traveller, Claim>();
  /** Of each file, whether Telegram has named it; one that it took without a name is uploaded each time, and waits for none. */
  readonly #named = new Map<string, boolean>();
  /** Bots that were refused, in order, with the places that each wants. */
  readonly #waiting = new Map<number, number>();
  readonly #freed: (integrationId: number) => void;
  #places = 0;

  /** `freed`: told of each bot that was refused, when that may have changed. */
  constructor(freed: (integrationId: number) => void = () => {}) {
    this.#freed = freed;
  }

  /**
   * Whether the message may be sent now: its files have names, or it may carry them. `later`: another carries one of them.
   * `full`: there are no places; whatever of the bot needs some waits `behind` it.
   */
  ask(message: Traveller, behind = false): 'now' | 'later' | 'full' {
    const keys = this.#unnamed(message);
    if (keys.length === 0) return 'now';
    if (behind) return 'full';
    const { integrationId } = message;
    const bot = this.#bots.get(integrationId);
    const wanted = this.#waiting.get(integrationId) ?? 0;
    if (keys.some((key) => bot?.flying.has(key))) {
      this.#waiting.set(integrationId, wanted);
      return 'later';
    }
    const places = placesOf(keys);
    const isBotFull = (bot?.places ?? 0) + places > botUploadsMax;
    if (!isBotFull && places <= this.#freeFor(integrationId)) return 'now';
    // What the bot itself must free first is kept back from no other.
    this.#waiting.set(integrationId, isBotFull ? wanted : Math.max(places, wanted));
    return 'full';
  }

  /** The message goes into hand; what it must carry is its flight until `end`. */
  begin(message: Traveller): void {
    this.#take(message, this.#unnamed(message));
  }

  /** Whether the message may upload this file. */
  carries(message: Traveller, key: string): boolean {
    return this.#claims.get(message)?.keys.includes(key) ?? false;
  }

  /** These files have names: whoever waits for them goes on, though the message is still under way. */
  named(message: Traveller, keys: readonly string[]): void {
    for (const key of keys) this.#note(message, key, true);
    const claim = this.#claims.get(message);
    if (!claim || !keys.some((key) => claim.keys.includes(key))) return;
    this.#land(message, claim);
    this.#take(
      message,
      claim.keys.filter((key) => !keys.includes(key)),
    );
    this.#tell();
  }

  /** Telegram took these files and gave them no name: waiting for one would be in vain. */
  nameless(message: Traveller, keys: readonly string[]): void {
    for (const key of keys) this.#note(message, key, false);
  }

  /** These files have no names, whatever was known. */
  unnamed(message: Traveller, keys: readonly string[]): void {
    for (const key of keys) this.#named.delete(nameOf(message, key));
  }

  /** The message is out of hand. */
  end(message: Traveller): void {
    const claim = this.#claims.get(message);
    if (!claim) return;
    this.#land(message, claim);
    this.#tell();
  }

  #unnamed(message: Traveller): readonly string[] {
    if (message.files.length === 0) return none;
    return message.files.filter((key) => this.#named.get(nameOf(message, key)) !== true);
  }

  #take(message: Traveller, keys: readonly string[]): void {
    if (keys.length === 0) return;
    const bot = this.#bots.get(message.integrationId) ?? { places: 0, flying: new Map<string, Traveller>() };
    this.#bots.set(message.integrationId, bot);
    const places = placesOf(keys);
    for (const key of keys) if (this.#named.get(nameOf(message, key)) !== false) bot.flying.set(key, message);
    bot.places += places;
    this.#places += places;
    this.#claims.set(message, { keys, places });
  }

  #land(message: Traveller, { keys, places }: Claim): void {
    this.#claims.delete(message);
    this.#places -= places;
    const bot = this.#bots.get(message.integrationId);
    if (!bot) return;
    bot.places -= places;
    for (const key of keys) if (bot.flying.get(key) === message) bot.flying.delete(key);
    if (bot.places === 0) this.#bots.delete(message.integrationId);
  }

  /** Places that a bot may take: what the first who waits wants is kept for it, so that small ones do not starve a large one. */
  #freeFor(integrationId: number): number {
    const free = uploadsMax - this.#places;
    for (const [id, places] of this.#waiting) {
      if (id === integrationId) return free;
      if (places > 0) return free - places;
    }
    return free;
  }

  #note(message: Traveller, key: string, named: boolean): void {
    if (this.#named.size >= namesMax) this.#named.clear();
    this.#named.set(nameOf(message, key), named);
  }

  /** Whoever still waits says so again. */
  #tell(): void {
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    for (const id of waiting) this.#freed(id);
  }
}

const nameOf = (message: Traveller, key: string): string => `${message.integrationId} ${key}`;

const placesOf = (keys: readonly string[]): number => Math.min(botUploadsMax, keys.length);

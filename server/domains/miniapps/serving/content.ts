// Everything that pages are made of, made once and kept: views, rows, pages. A warm answer asks nobody.
import type { AppPages, AppRows, AppStart, AppView, Photo } from '../../../../contract/app/view.ts';
import type { Db } from '../../../../kernel/db.ts';
import {
  address,
  drawPages,
  firstState,
  pageAt,
  pageRow,
  renderPage,
  toHtml,
  wordsFor,
  zoneName,
} from '../../../../miniapp/blocks/blocks.ts';
import type { BotEntry } from '../../bots/bots.ts';
import { chooseLocale, compileApp } from '../../manifest/manifest.ts';
import type { AppEntry } from '../apps.ts';
import { dayIn } from '../submissions/slots.ts';
import { words } from '../words.ts';
import type { Assets } from './assets.ts';
import { type CacheFigures, createCache } from './cache.ts';
import { type Body, bodyOf } from './compressed.ts';
import { headOf } from './head.ts';
import { framesFor, type Headers, pageHeaders, type Sharing, shared } from './headers.ts';
import { buttonPaint, pageHtml, themeCss } from './html.ts';
import { baseOf, filesBase, siteAddress, type Where } from './places.ts';
import { type AppRelease, type AppReleases, createAppReleases } from './releases.ts';
import { type RowWatch, readAllRows } from './rows.ts';

/** A page that is ready: its body in every form, and what goes with it. */
export type ReadyPage = {
  readonly bytes: number;
  readonly status: 200 | 404;
  readonly body: Body;
  /** By who may be given it too: that depends on how its language was chosen. */
  readonly headers: Readonly<Record<Sharing, Headers>>;
  /** Whether the app speaks another language beside the one of this page. */
  readonly speaksMore: boolean;
};
/** One language: what the server works with, what it was drawn to, and that as phones get it. */
type ReadyView = { readonly bytes: number; readonly body: Body; readonly view: AppView; readonly pages: AppPages };
type ReadyRows = { readonly bytes: number; readonly body: Body; readonly rows: AppRows };

/** What is asked for: which app, under which address, in which language, which page. */
export type PageRequest = {
  readonly app: AppEntry;
  readonly where: Where;
  /** Below the base: empty for the first page, else beginning with a slash and ending without. */
  readonly path: string;
  /** What whoever asks for the first page would rather see, if it is there: `PAGE`, or `PAGE-NUMBER` for a row on it. */
  readonly meant?: string | undefined;
  /** As `?lang=` says. */
  readonly asked: string | undefined;
  /** As the browser wishes; undefined where the visitor comes from a page of ours and has chosen. */
  readonly accepted: string | undefined;
};

export type ContentDeps = {
  readonly db: Db;
  readonly assets: Assets;
  readonly watch: RowWatch;
  readonly publicUrl: string | undefined;
  /** Where the pages of a bot load Telegram's script from. */
  scriptOf(bot: BotEntry): string;
  /** Of everything that is kept, in bytes. */
  readonly cacheBytesMax: number;
};

/** Documents are a part of what is kept; pages, views and rows are the rest. */
const documentShare = 0.25;

export class Content {
  readonly releases: AppReleases;
  readonly #deps: ContentDeps;
  readonly #pages;
  readonly #views;
  readonly #rows;

  constructor(deps: ContentDeps) {
    this.#deps = deps;
    const room = (share: number) => ({ bytesMax: Math.floor(deps.cacheBytesMax * share) });
    this.releases = createAppReleases(deps.db, room(documentShare));
    this.#pages = createCache<ReadyPage>(room(0.4));
    this.#views = createCache<ReadyView>(room(0.2));
    this.#rows = createCache<ReadyRows>(room(0.15));
  }

  /** The page, if nobody has to be asked for it. */
  peek(asked: PageRequest): ReadyPage | undefined {
    const { app } = asked;
    if (app.releaseNumber === undefined) return undefined;
    const release = this.releases.peek(app.projectId, app.releaseNumber);
    const rev = this.#deps.watch.peek(app.projectId);
    if (release === undefined || rev === undefined) return undefined;
    return this.#pages.peek(keyOf(redirected(asked, release), release, rev));
  }

  /** The page. undefined: there is no such app. */
  async page(asked: PageRequest): Promise<ReadyPage | undefined> {
    const { app, where } = asked;
    const release = await this.releaseOf(app);
    const base = baseOf(app, where);
    if (release === undefined || base === undefined) return undefined;
    const request = redirected(asked, release);
    const rev = await this.#deps.watch.get(app.projectId);
    const key = keyOf(request, release, rev);
    const ready = this.#pages.peek(key);
    if (ready !== undefined) return ready;
    const locale = localeOf(request, release);
    const { view, pages, body: viewBody } = await this.view(app, where, release, locale);
    const { rows, body: rowsBody } = await this.rows(app, release, rev, locale);
    const at = pageAt(pages, base + request.path);
    const zone = zoneName(release.document.timezone ?? 'UTC');
    const state = at && firstState({ ...at, telegram: where === 'a', zone });
    const row = state && pageRow(pages, rows, state);
    const isThere = at !== undefined && isOwnAddress(pages, at, base + request.path) && (at.item === undefined || row);
    // Addresses that are not there have no end: one answer for all of them.
    if (state === undefined || !isThere)
      return this.#pages.get(`none ${key.slice(0, -1 - request.path.length)}`, () => this.#missing(request, view));
    const start: AppStart = {
      view: `${filesBase(app)}/v-${where}-${release.number}-${locale}-${viewBody.hash}.json`,
      rows: `${filesBase(app)}/d-${release.number}-${locale}-${rowsBody.hash}.json`,
      page: state.page,
      zone,
      ...(state.item === undefined ? {} : { item: state.item }),
      ...(request.meant === undefined ? {} : { address: address(pages, state.page, state.item) }),
      ...(where === 'a' ? { telegram: this.#scriptOf(app), paint: buttonPaint(view) } : {}),
    };
    return this.#pages.get(key, () => {
      const head = headOf(view, { page: state.page, row, ...this.#site(request) });
      return this.#ready(200, request, view, { head, body: toHtml(renderPage(pages, rows, state)), start });
    });
  }

  /** The running release of an app; undefined where it has no pages. */
  releaseOf(app: AppEntry): Promise<AppRelease | undefined> {
    return app.releaseNumber === undefined
      ? Promise.resolve(undefined)
      : this.releases.get(app.projectId, app.releaseNumber);
  }

  /** One language of a release, as an app under this address gets it. */
  view(app: AppEntry, where: Where, release: AppRelease, locale: string): Promise<ReadyView> {
    const base = baseOf(app, where) ?? '';
    const bot = app.bot?.username ?? '';
    const key = `${app.publicId} ${base} ${bot} ${release.number} ${locale}`;
    return this.#views.get(key, async () => {
      const media = this.#photos(app, release);
      const facts = { app: app.publicId, base, bot, media, words: wordsFor(locale) };
      const view = compileApp({ ...release.document, app: release.app }, locale, facts);
      const pages = drawPages(view);
      const body = await bodyOf('application/json; charset=utf-8', JSON.stringify(pages), 9);
      // The two that are kept as objects take some three times their text each.
      return { bytes: body.bytes + body.plain.length * 6, body, view, pages };
    });
  }

  /** The rows as they are under this revision of the tables, for readers of this language. */
  rows(app: AppEntry, release: AppRelease, rev: number, locale: string): Promise<ReadyRows> {
    return this.#rows.get(`${app.publicId} ${release.number} ${rev} ${locale}`, async () => {
      const address = (id: string): string | undefined => this.photoAddress(app, release, id);
      const rows = await readAllRows(this.#deps.db, release, { locale, address });
      const body = await bodyOf('application/json; charset=utf-8', JSON.stringify(rows));
      return { bytes: body.bytes + body.plain.length * 3, body, rows };
    });
  }

  /** Where a photo of the document is fetched; undefined where there is none of this id. */
  photoAddress(app: AppEntry, release: AppRelease, mediaId: string): string | undefined {
    const { media } = release.document;
    const found = media !== undefined && Object.hasOwn(media, mediaId) ? media[mediaId] : undefined;
    return found === undefined ? undefined : `${filesBase(app)}/m-${found.sha256}`;
  }

  /** What is kept of each part, for the metrics. */
  /** Forgets everything that was made: the database is another one, and numbers may stand for something else. */
  forget(): void {
    for (const cache of [this.releases, this.#views, this.#rows, this.#pages]) cache.forget();
  }

  figures(): { readonly [part: string]: CacheFigures } {
    return {
      document: this.releases.figures(),
      view: this.#views.figures(),
      rows: this.#rows.figures(),
      page: this.#pages.figures(),
    };
  }

  #photos(app: AppEntry, release: AppRelease): { [id: string]: Photo } {
    return Object.fromEntries(
      Object.entries(release.photos).flatMap(([id, size]) => {
        const src = this.photoAddress(app, release, id);
        return src === undefined ? [] : [[id, { src, ...size }]];
      }),
    );
  }

  #scriptOf({ bot }: AppEntry): string | undefined {
    return bot && this.#deps.scriptOf(bot);
  }

  #site({ app, where }: PageRequest): { site: string | undefined; isSite: boolean } {
    return { site: siteAddress(app, this.#deps.publicUrl), isSite: where !== 'a' };
  }

  #missing(request: PageRequest, view: AppView): Promise<ReadyPage> {
    const says = words(view.locale);
    const lang = view.locale === view.locales[0] ? '' : `?lang=${view.locale}`;
    const home = `${view.base === '' ? '/' : view.base}${lang}`;
    const body = toHtml([
      {
        t: 'main',
        a: {},
        c: [
          { t: 'h1', a: {}, c: [says.missingTitle] },
          { t: 'p', a: {}, c: [says.missing] },
          { t: 'p', a: {}, c: [{ t: 'a', a: { href: home, class: 'button main' }, c: [says.home] }] },
        ],
      },
    ]);
    return this.#ready(404, request, view, { head: nameless(says.missingTitle), body });
  }

  async #ready(
    status: 200 | 404,
    { app, where }: PageRequest,
    view: AppView,
    page: Pick<Parameters<typeof pageHtml>[0], 'head' | 'body' | 'start'>,
  ): Promise<ReadyPage> {
    const { assets } = this.#deps;
    const theme = themeCss(view);
    const html = pageHtml({
      locale: view.locale,
      css: assets.css,
      desk: assets.desk,
      theme,
      runtime: assets.runtime,
      ...page,
    });
    const headers = pageHeaders(
      {
        where,
        styles: [assets.css, theme],
        telegramScript: where === 'a' ? this.#scriptOf(app) : undefined,
        framedBy: framesFor(app, where),
      },
      view.locale,
    );
    const body = await bodyOf('text/html; charset=utf-8', html);
    const speaksMore = view.locales.length > 1;
    return { bytes: body.bytes + 2_500, status, body, headers: shared({ ...headers, etag: body.etag }), speaksMore };
  }
}

/** `/goods/012` would be a second address of `/goods/12`, and there is no end of those. */
function isOwnAddress(pages: AppPages, at: { page: string; item?: number | undefined }, path: string): boolean {
  return address({ ...pages, locale: pages.locales[0] ?? '' }, at.page, at.item) === (path === '' ? '/' : path);
}

const nameless = (title: string): Parameters<typeof pageHtml>[0]['head'] => ({
  title,
  description: '',
  siteName: '',
  url: undefined,
  image: undefined,
  alternates: [],
  index: false,
});

const localeOf = ({ asked, accepted }: PageRequest, { document }: AppRelease): string =>
  chooseLocale(document, { asked, accepted });

/** What is shown in the end: `meant` stays only where it leads to another page. */
function redirected(request: PageRequest, { app: { pages } }: AppRelease): PageRequest {
  if (request.meant === undefined) return request;
  const { meant: wish, ...asked } = request;
  const pathOf = (page: string): string | undefined => (Object.hasOwn(pages, page) ? pages[page]?.path : undefined);
  // A page may be called `hall-2` itself.
  const [, page = '', row] = pathOf(wish) === undefined ? (/^(.+)-(\d{1,15})$/.exec(wish) ?? []) : [wish, wish];
  const path = pathOf(page);
  if (path === undefined || path === '/') return asked;
  return { ...asked, meant: page, path: row === undefined ? path : `${path}/${row}` };
}

/** Everything that a page depends on. The path comes last. */
function keyOf(request: PageRequest, release: AppRelease, rev: number): string {
  const { app, where, meant = '', path } = request;
  const bot = app.bot?.username ?? '';
  // What stands on a page of yesterday is no longer today.
  const day = release.showsDayOf === undefined ? '' : dayIn(release.showsDayOf, Date.now());
  const site = app.site === undefined ? '' : `${app.site.slug} ${app.site.domain}`;
  return `${app.publicId} ${where} ${release.number} ${rev} ${localeOf(request, release)} ${day} ${bot} ${site} ${meant} ${path}`;
}

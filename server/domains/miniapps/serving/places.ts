// Under which address an app is opened, and what that means for its pages.
import type { AppEntry } from '../apps.ts';

/** `a`: inside Telegram. `s`: a site below the installation. `d`: a domain of its own. */
export type Where = 'a' | 's' | 'd';

/** Below which path the pages stand, without a slash at the end. */
export function baseOf(app: AppEntry, where: Where): string | undefined {
  if (where === 'a') return `/a/${app.publicId}`;
  if (where === 'd') return app.site?.domain == null ? undefined : '';
  return app.site?.slug == null ? undefined : `/s/${app.site.slug}`;
}

/** Where everybody finds the pages as a site, as `https://shop.example`; undefined where there is no site. */
export function siteAddress(app: AppEntry, publicUrl: string | undefined): string | undefined {
  const { site } = app;
  if (site == null) return undefined;
  if (site.domain !== null) return `https://${site.domain}`;
  return site.slug === null || publicUrl === undefined ? undefined : `${publicUrl}/s/${site.slug}`;
}

/**
 * Where this installation is reached, as its operator has said; empty where nobody has, so that an address is a path. Never
 * what a request calls it: a visitor could choose the host of a link that the owner opens.
 */
export function ownAddress(app: AppEntry, publicUrl: string | undefined): string {
  return publicUrl ?? app.bot?.webhookBase ?? siteAddress(app, undefined) ?? '';
}

/** Files of an app stand here, on every host. */
export const filesBase = (app: AppEntry): string => `/_/${app.publicId}`;

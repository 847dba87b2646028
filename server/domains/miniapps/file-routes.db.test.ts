// Files of a project on its pages: what is played and what is saved.
import { expect, onTestFinished, test } from 'vitest';
import { sha256Of } from '../projects/files.ts';
import { onePixel } from '../projects/fixtures.ts';
import { importProject, publish } from '../projects/projects.ts';
import { shopDocument } from './fixtures.ts';
import { type Answer, startTestApp } from './harness.ts';

test('a recording is played in the page, a document is saved under its name', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const song = Buffer.from('RIFF\x10\0\0\0WAVEfmt song', 'latin1');
  const paper = Buffer.from('Tea 100, coffee 200');
  const document = shopDocument() as Answer;
  document.media = {
    cover: { ...document.media.cover, sha256: sha256Of(onePixel) },
    song: { kind: 'audio', name: 'song.wav', sha256: sha256Of(song) },
    paper: { kind: 'document', name: "papers/Прайс (1) it's.txt", sha256: sha256Of(paper) },
  };
  const { elements } = document.app;
  elements.song = { type: 'audio', props: { media: 'song', title: 'home.title' } };
  elements.paper = { type: 'file', props: { media: 'paper', title: 'home.title' } };
  elements.home.children.push('song', 'paper');
  const files = new Map([onePixel, song, paper].map((bytes) => [sha256Of(bytes), bytes]));
  await app.roost.db.tx(async (tx) => {
    await importProject(tx, { name: app.project.publicId, bundle: { document, files }, into: true });
    await publish(tx, app.project.id, {});
  });
  const page = async () => (await app.get(`/a/${app.app}/`)).text();
  await expect.poll(page).toContain('<audio');
  const address = (bytes: Buffer): string => `/_/${app.app}/m-${sha256Of(bytes)}`;
  expect(await page()).toContain(`href="${address(paper)}"`);
  const played = await app.get(address(song));
  expect([played.headers.get('content-type'), played.headers.get('content-disposition')]).toEqual(['audio/wav', null]);
  const saved = await app.get(address(paper));
  expect(saved.headers.get('content-type')).toBe('application/octet-stream');
  expect(saved.headers.get('content-disposition')).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent('Прайс ')}%281%29%20it%27s.txt`,
  );
  expect(await saved.text()).toBe('Tea 100, coffee 200');
});

import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { readFolderId } from '../identity.ts';
import { explained, prepareFolder } from './folder.ts';

const failure = (code: string): Error => Object.assign(new Error('it failed'), { code });

test('a data folder that cannot be one says why, whether it is made or only looked into', async () => {
  const wrong: [string, RegExp][] = [
    ['/etc/passwd', /^DATA_DIR \/etc\/passwd cannot be used: a part of the path is a file\.$/],
    ['/dev/null/x', /^DATA_DIR \/dev\/null\/x cannot be used: a part of the path is a file\.$/],
  ];
  for (const [path, message] of wrong) {
    const refusal = { code: 'CONFIG_WRONG', message: expect.stringMatching(message) };
    await expect(prepareFolder(path), path).rejects.toMatchObject(refusal);
    await expect(readFolderId(path), path).rejects.toMatchObject(refusal);
  }
});

test.runIf(process.platform === 'linux')(
  'a place in which nothing can be made is told, and waited for by nobody',
  async () => {
    await expect(prepareFolder('/proc/roost/data')).rejects.toMatchObject({
      code: 'CONFIG_WRONG',
      message: 'DATA_DIR /proc/roost/data cannot be used: nothing can be made there.',
    });
  },
);

test('a full disk is DISK_FULL, of the database too; what is not understood stays as it is', async () => {
  for (const code of ['ENOSPC', '53100'])
    expect(await explained(failure(code), tmpdir()), code).toMatchObject({ code: 'DISK_FULL' });
  const strange = failure('EIO');
  expect(await explained(strange, tmpdir())).toBe(strange);
});

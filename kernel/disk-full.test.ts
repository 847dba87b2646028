import { expect, test } from 'vitest';
import { diskFullRefusal } from './disk-full.ts';

const failure = (code: string, cause?: unknown): Error => Object.assign(new Error('it failed', { cause }), { code });

test('a full disk is one refusal, whoever met it and however deep it lies', () => {
  for (const error of [failure('ENOSPC'), failure('EDQUOT'), new Error('outer', { cause: failure('ENOSPC') })])
    expect(diskFullRefusal(error)).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringContaining('The disk is full'),
    });
  expect(diskFullRefusal(failure('53100'))).toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining('disk of the database'),
  });
});

test('any other error is left alone', () => {
  for (const error of [failure('53300'), failure('EACCES'), new Error('ENOSPC'), 'ENOSPC', undefined])
    expect(diskFullRefusal(error)).toBeUndefined();
});

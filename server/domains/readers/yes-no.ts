// Yes and no, as people and spreadsheets of many languages write them.

import { type Reading, UNREADABLE } from './reading.ts';
import { foldWords } from './spelling.ts';

/** Words of Excel and of people. No word says yes in one language and no in another. */
const YES =
  'true yes y on 1 + ✓ ✔ ☑ ✅ да истина вкл д так істина иә ақиқат wahr ja j vrai oui verdadero sí vero sì ' +
  'verdadeiro sim prawda tak waar sant sann sand tosi kyllä pravda ano áno igaz igen doğru evet adevărat da ' +
  'αληθης ναι истина istina tačno tõene jah patiess jā teisinga taip benar ya đúng có 是 真 はい 예 네 참 כן אמת نعم صحيح بله हाँ';
const NO =
  'false no n off 0 - ✗ ✘ ☐ ❌ нет ложь выкл н ні хибність хибно жоқ жалған falsch nein faux non falso não ' +
  'fałsz nie onwaar nee falskt nej usann nei falsk epätosi ei nepravda ne hamis nem yanlış hayır fals nu ' +
  'ψευδης οχι невярно не neistina netačno väär aplams nē klaidinga salah tidak sai không 否 假 いいえ 아니오 거짓 לא שקר لا خطأ نه नहीं';

const fold = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(foldWords));
const yes = fold(YES);
const no = fold(NO);

/** Reads `yes`, `ИСТИНА`, `WAHR`, `1`, `✓` and their like in other languages. */
export function readYesNo(text: string): Reading<boolean> {
  const word = text.length > 40 ? '' : foldWords(text);
  if (yes.has(word)) return { value: true };
  return no.has(word) ? { value: false } : UNREADABLE;
}

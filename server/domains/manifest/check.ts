// All checks of the pages before publishing.
import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import { checkActions } from './checks/actions.ts';
import { checkData } from './checks/data.ts';
import { checkForms } from './checks/forms.ts';
import { checkGoods } from './checks/goods.ts';
import { checkIdle } from './checks/idle.ts';
import { checkPages } from './checks/pages.ts';
import { checkReach } from './checks/reach.ts';
import { checkReferences } from './checks/references.ts';
import { checkSpans } from './checks/spans.ts';
import { checkTexts } from './checks/texts.ts';
import { checkTheme } from './checks/theme.ts';
import { placesOf } from './places.ts';
import { usesOf } from './uses.ts';

/** Everything that can be known of a document's pages before publishing; nothing where it has none. */
export function checkManifest(document: FlowDocument): Fault[] {
  const manifest = document.app;
  if (manifest === undefined) return [];
  const places = placesOf(manifest);
  const uses = usesOf(manifest, places);
  const faults = [
    ...checkPages(manifest),
    ...places.faults,
    ...checkReferences(document, manifest, uses),
    ...checkData(document, manifest),
    ...checkForms(manifest),
    ...checkGoods(manifest, places),
    ...checkActions(document, manifest, uses),
    ...checkIdle(document, manifest, uses),
    ...checkReach(document, manifest, uses),
    ...checkTexts(document, manifest, uses),
    ...checkSpans(manifest, uses),
    ...checkTheme(manifest),
  ];
  return [
    ...faults.filter((fault) => fault.severity === 'stops'),
    ...faults.filter((fault) => fault.severity === 'warns'),
  ];
}

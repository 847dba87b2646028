// All checks before publishing.

import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import { checkApps } from './checks/apps.ts';
import { checkBlocks } from './checks/blocks.ts';
import { checkChats } from './checks/chats.ts';
import { checkMarkup } from './checks/markup.ts';
import { checkNever } from './checks/never.ts';
import { checkProps } from './checks/props.ts';
import { checkReach } from './checks/reach.ts';
import { checkSpans } from './checks/spans.ts';
import { checkStructure } from './checks/structure.ts';
import { checkTables } from './checks/tables.ts';
import { checkTexts } from './checks/texts.ts';
import { checkTriggers } from './checks/triggers.ts';
import { usesOf } from './checks/uses.ts';
import { checkValues } from './checks/values.ts';

/** Everything that can be known before publishing. Faults that stop come first. */
export function checkDocument(document: FlowDocument): Fault[] {
  const uses = usesOf(document);
  const faults = [
    ...checkStructure(document),
    ...checkTriggers(document),
    ...checkBlocks(document, uses),
    ...checkProps(document),
    ...checkNever(document),
    ...checkTables(document),
    ...checkApps(document),
    ...checkValues(document, uses),
    ...checkTexts(document, uses),
    ...checkMarkup(document),
    ...checkSpans(document, uses),
    ...checkReach(document),
    ...checkChats(document),
  ];
  return [
    ...faults.filter((fault) => fault.severity === 'stops'),
    ...faults.filter((fault) => fault.severity === 'warns'),
  ];
}

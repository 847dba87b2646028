// Does everything lead somewhere, and is every name the name of one thing?

import { specOf } from '../../../../contract/blocks/registry.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { isPhoneCountry } from '../../readers/readers.ts';
import { isTimezone } from '../formats.ts';
import { readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';

/** Names, places of blocks, exits and their targets. */
export function checkStructure(document: FlowDocument): Fault[] {
  return [
    ...checkNames(document),
    ...checkFiles(document),
    ...checkPlaces(document),
    ...checkExits(document),
    ...checkTargets(document),
  ];
}

function checkNames(document: FlowDocument): Fault[] {
  const faults = Object.keys(document.cards)
    .filter((id) => Object.hasOwn(document.blocks, id))
    .map((id) =>
      stop('name_twice', `cards.${id}`, `A card and a block are both called "${id}".`, 'Give the card another name.'),
    );
  if (!document.locales.includes(document.defaultLocale)) {
    faults.push(
      stop(
        'locale_unknown',
        'defaultLocale',
        `The default language "${document.defaultLocale}" is not among the languages of the bot.`,
        'Add it to "locales".',
      ),
    );
  }
  const country = document.region?.country;
  if (country !== undefined && !isPhoneCountry(country))
    faults.push(
      stop('country_unknown', 'region.country', `There is no country "${country}".`, 'Write it as "DE" or "US".'),
    );
  if (document.timezone !== undefined && !isTimezone(document.timezone)) {
    faults.push(
      stop(
        'timezone_unknown',
        'timezone',
        `There is no time zone "${document.timezone}".`,
        'Write it as "Europe/Moscow".',
      ),
    );
  }
  return faults;
}

/** What a file is and how large is read from its bytes, whatever is said of it. */
function checkFiles({ media = {} }: FlowDocument): Fault[] {
  return Object.entries(media).flatMap(([id, file]) =>
    (['bytes', 'mime'] as const)
      .filter((prop) => file[prop] !== undefined)
      .map((prop) =>
        warn(
          'prop_unused',
          `media.${id}.${prop}`,
          `"${prop}" does nothing: it is read from the file itself.`,
          'Leave it out. What acts is "kind", "name" and "sha256".',
        ),
      ),
  );
}

function checkPlaces(document: FlowDocument): Fault[] {
  const faults: Fault[] = [];
  const places = new Map<string, string>();
  for (const [card, { blocks }] of Object.entries(document.cards)) {
    blocks.forEach((id, index) => {
      const path = `cards.${card}.blocks.${index}`;
      const other = places.get(id);
      if (!Object.hasOwn(document.blocks, id))
        faults.push(stop('block_missing', path, `There is no block "${id}".`, 'Add it or take it out of the card.'));
      else if (other !== undefined)
        faults.push(
          stop(
            'block_twice',
            path,
            `Block "${id}" already stands in card "${other}".`,
            'Make a copy with a name of its own.',
          ),
        );
      else places.set(id, card);
    });
  }
  for (const id of Object.keys(document.blocks)) {
    if (!places.has(id))
      faults.push(
        warn('block_nowhere', `blocks.${id}`, `Block "${id}" stands in no card.`, 'Put it into a card or remove it.'),
      );
  }
  return faults;
}

function checkExits(document: FlowDocument): Fault[] {
  const faults: Fault[] = [];
  for (const [id, block] of Object.entries(document.blocks)) {
    const exits = specOf(block.type).exits(block.props);
    const names = exits.map((exit) => exit.id);
    for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) {
      faults.push(
        stop(
          'exit_twice',
          `blocks.${id}`,
          `Block "${id}" has two exits called "${name}".`,
          'Rename one of the buttons, choices or branches.',
        ),
      );
    }
    for (const name of Object.keys(block.exits ?? {})) {
      if (!names.includes(name))
        faults.push(
          stop(
            'exit_unknown',
            `blocks.${id}.exits.${name}`,
            `Block "${id}" has no exit "${name}".`,
            `It has ${names.map((one) => `"${one}"`).join(', ') || 'none'}.`,
          ),
        );
    }
    for (const exit of exits) {
      if (exit.needed && readOwn(block.exits ?? {}, exit.id) === undefined) {
        faults.push(
          stop(
            'exit_open',
            `blocks.${id}.exits.${exit.id}`,
            `The exit "${exit.title.en}" of block "${id}" leads nowhere.`,
            'Connect it to a card.',
          ),
        );
      }
    }
  }
  return faults;
}

function checkTargets(document: FlowDocument): Fault[] {
  const faults: Fault[] = [];
  const isTarget = (id: string): boolean => Object.hasOwn(document.cards, id) || Object.hasOwn(document.blocks, id);
  const check = (target: string | undefined, path: string): void => {
    if (target !== undefined && !isTarget(target))
      faults.push(
        stop('target_missing', path, `It leads to "${target}", which does not exist.`, 'Choose a card that exists.'),
      );
  };
  for (const [id, block] of Object.entries(document.blocks)) {
    for (const [exit, target] of Object.entries(block.exits ?? {})) check(target, `blocks.${id}.exits.${exit}`);
  }
  for (const [id, trigger] of Object.entries(document.triggers)) check(trigger.to, `triggers.${id}.to`);
  for (const [name, card] of Object.entries(document.defaults ?? {})) check(card, `defaults.${name}`);
  return faults;
}

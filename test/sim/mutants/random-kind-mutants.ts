// Defects that an object of any kind would hide: random kinds of random models in the simulator must notice.
import type { Mutant, MutantRow } from './mutants.ts'

const room = 'src/operators/resources'

const rows: readonly MutantRow<[]>[] = [
  [
    'refusal-swallowed',
    'decide/generic-update.ts',
    'const refused = held.filter(path => isGiven(situation, path) && !isLeft(path))',
    'const refused: readonly string[] = []',
    'an object is Ready with a field that nothing carried out and nothing names',
  ],
  [
    'untold-forgotten',
    'decide/sent.ts',
    '  if (!isSentOnRecord(situation.claim)) return []\n',
    '  if (isSentOnRecord(situation.claim)) return []\n',
    'a change of a field that no read tells is never sent, and the object is Ready',
  ],
  [
    'part-left',
    'decide/part-calls.ts',
    'return part.remove === undefined\n',
    'return part.remove === undefined || part.fields.length > 0\n',
    'a setting that is taken out of the manifest stays in AWS, and the object is Ready',
  ],
  [
    'undone-for-ever',
    'decide/bring-in-step.ts',
    'if (updatesInARow(situation) < rowMax || leftMs <= 0) return undefined',
    'if (updatesInARow(situation) < rowMax || leftMs <= 0 || now > 0) return undefined',
    'updates that undo each other are sent without an end',
  ],
  [
    'entry-unseen',
    'observe/read-entries.ts',
    'if (key === undefined) continue',
    'if (key === undefined || !asked.has(key)) continue',
    'an entry that is taken out of the manifest stays in AWS, and the object is Ready',
  ],
  [
    'entry-in-the-way',
    'decide/entry-calls.ts',
    'keys: [...byKey(model, entries, latest.spec[entries.field.json]).keys()] }',
    'keys: [] }',
    'entries that are still there keep a resource from ever going',
  ],
  [
    'unread-let-go',
    'decide/deletion.ts',
    'inAws.isUnasked === true && (isOnRecord(situation) ||',
    'inAws.isUnasked === true && (false ||',
    'what was made and cannot be read is let go, and stays behind',
  ],
]

export const randomKindMutants: readonly Mutant[] = rows.map(([id, file, find, replace, why]) => ({
  id: `random-kinds-${id}`,
  file: `${room}/${file}`,
  find,
  replace,
  why,
  controllers: ['resources-random-1', 'resources-random-2', 'resources-random-3'],
}))

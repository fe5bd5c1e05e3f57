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

/** Of tags, and of resources that go by their ARN. */
const taggedRows: readonly MutantRow<[]>[] = [
  [
    'tags-go-as-texts',
    'kinds/tag-calls.ts',
    'return key === undefined ? keys :',
    'return key === undefined || keys.length > 0 ? keys :',
    'tags that are taken away by structures are never taken away',
  ],
  [
    'arn-unheard',
    'model/own-names.ts',
    "...(isOwnResourceArn(model) ? ['ResourceArn'] : [])",
    "...(isOwnResourceArn(model) ? [] : ['ResourceArn'])",
    'what goes by an ARN that AWS told once is asked for by nothing',
  ],
  [
    'strangers-name-taken',
    'ownership/ownership.ts',
    "return mark === undefined ? { kind: 'unknown' } : { kind: 'marked', mark }",
    "return mark === undefined ? { kind: 'ours' } : { kind: 'marked', mark }",
    'what a stranger has under the name of a manifest is changed, and deleted',
  ],
]

export const randomKindMutants: readonly Mutant[] = [
  ...rows.map(row => mutantOf(row, ['resources-random-1', 'resources-random-2', 'resources-random-3'])),
  ...taggedRows.map(row => mutantOf(row, ['resources-tagged-1', 'resources-tagged-5', 'resources-tagged-8'])),
]

function mutantOf([id, file, find, replace, why]: MutantRow<[]>, controllers: readonly string[]): Mutant {
  return { id: `random-kinds-${id}`, file: `${room}/${file}`, find, replace, why, controllers }
}

// The story's chapter about DNS and its parts: two accounts, the dns operator on the cluster of one's own, and what its operands are. Start with
// chapter.ts.
export { makeAccounts, type NamesAccounts } from './accounts.ts'
export { buildOperand } from './build.ts'
export { tellDns } from './chapter.ts'
export { startDnsOperator } from './operator.ts'

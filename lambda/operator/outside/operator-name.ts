import { userInfo } from 'node:os';

/** Who works here: `ONCEHOOK_OPERATOR`, or the user of this process. Blank for a user without a name. */
export function operatorName(): string {
  const given = process.env['ONCEHOOK_OPERATOR'];
  if (given !== undefined) return given;
  try {
    return userInfo().username;
  } catch {
    // A user id that is in no list of users, as in some containers.
    return '';
  }
}

/** A port by name: short, and with a letter in it. */
export function portNameComplaints(name: string): readonly string[] {
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/i.test(name) && name === name.toLowerCase()
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(name.length > 0 && (name.startsWith('-') || name.endsWith('-')) ? ['must not begin or end with a hyphen'] : []),
  ];
}

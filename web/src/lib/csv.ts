/** Comma-separated values for a spreadsheet, which must take no text from people for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;

function quoted(value: string | number | null): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value ?? "") ? `'${value}` : (value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

export const csv = (rows: (string | number | null)[][]): string =>
  rows.map((row) => row.map(quoted).join(",")).join("\r\n");

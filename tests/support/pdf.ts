/** PDF files, made of the lines of their pages. */

/** One with Helvetica and nothing else; lines hold no brackets. */
export function pdfOf(pages: readonly (readonly string[])[], title = ""): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, at) => `${5 + 2 * at} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Title (${title}) >>`,
    ...pages.flatMap((lines, at) => {
      const shown = lines.map((line) => `(${line}) Tj T*`).join(" ");
      const content = `BT /F1 12 Tf 72 720 Td 14 TL ${shown} ET`;
      const uses = `/Contents ${6 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >>`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${uses} >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  const count = objects.length + 1;
  file += `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join("")}`;
  file += `trailer << /Size ${count} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}

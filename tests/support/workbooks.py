"""Workbooks that no spreadsheet would write."""

import io
import zipfile

import pandas as pd
from attaching import workbook


def far_cell() -> bytes:
    """A workbook of some kilobytes with a cell at its beginning and one at its end."""
    small, large = io.BytesIO(workbook(s=pd.DataFrame({"a": [1]}))), io.BytesIO()
    with zipfile.ZipFile(small) as old, zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            text = old.read(info)
            if info.filename.endswith("sheet1.xml"):
                end = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
                assert b"</sheetData>" in text
                text = text.replace(b"</sheetData>", end)
            new.writestr(info.filename, text)
    return large.getvalue()

"""Numbers are shortened as decimals, labels are cut by columns."""

from engine_py.picture.text import checksum, escaped, shortened, visible, width
from engine_py.tests.helpers import Json, units


@units("picture_text", "numbers")
def test_a_number_is_shortened(case: Json) -> None:
    for value, most, text in case["rows"]:
        assert shortened(value, most) == text


@units("picture_text", "labels")
def test_a_label_is_cut_by_columns(case: Json) -> None:
    for text, most, shown in case["rows"]:
        assert visible(text, most) == shown
        assert width(shown) <= most


def test_what_xml_means_something_by_is_escaped() -> None:
    assert escaped("""<a b="c">&'""") == "&lt;a b=&quot;c&quot;&gt;&amp;'"


def test_the_checksum_is_crc_32() -> None:
    # Published for 32 bytes 0 and 32 bytes 255, which are 16 units.
    assert checksum("\x00" * 16) == "190a55ad"
    assert checksum("\uffff" * 16) == "ff6cab0b"
    assert checksum("") == "00000000"

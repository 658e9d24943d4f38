"""Numbers are shortened as decimals, labels are cut by columns."""

import pytest

from engine_py.picture.text import checksum, escaped, shortened, visible, width


@pytest.mark.parametrize(
    ("value", "most", "text"),
    [
        (0.0, 6, "0"),
        (-1.0, 6, "−1"),
        (0.1 + 0.2, 6, "0.3"),
        (2 / 3, 6, "0.666667"),
        (-2 / 3, 4, "−0.6667"),
        # Half a digit of the text is rounded away from zero, whatever the double is exactly.
        (0.1234565, 6, "0.123457"),
        (-0.1234565, 6, "−0.123457"),
        (0.1234575, 6, "0.123458"),
        # Two characters more than digits are left as they are.
        (1.000005, 6, "1.000005"),
        (1.0000005, 6, "1"),
        (2.00005, 4, "2"),
        (1.0005, 4, "1.0005"),
        (1.000500001, 4, "1.001"),
        (0.9999996, 6, "1"),
        (999999.6, 6, "999999.6"),
        (999999.62, 6, "1e6"),
        (99999.62, 6, "99999.62"),
        (123456789, 6, "1.23457e8"),
        (12345678, 6, "12345678"),
        (0.0001234567, 6, "0.000123457"),
        (0.00001234567, 6, "1.23457e−5"),
        (1e-7, 6, "1e−7"),
        (1e21, 6, "1e21"),
        (1.7976931348623157e308, 4, "1.798e308"),
        (5e-324, 4, "5e−324"),
        (1e5, 4, "100000"),
        (1234567.0, 4, "1.235e6"),
        (12345.67, 4, "1.235e4"),
        (1234.567, 4, "1235"),
    ],
)
def test_a_number_is_shortened(value: float, most: int, text: str) -> None:
    assert shortened(value, most) == text


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("", 4, ""),
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc…"),
        ("漢字", 4, "漢字"),
        ("漢字だ", 5, "漢字…"),
        ("漢字だ", 4, "漢…"),
        ("😀😀😀", 4, "😀…"),
        ("a\tb\r\n", 8, "a b  "),
        ("\x00\x7f\u0085\u200e\u202e\u2066\ufffe\ud800", 20, "\ufffd" * 8),
        ("Δμ × ∂", 6, "Δμ × ∂"),
    ],
)
def test_a_label_is_cut_by_columns(text: str, most: int, shown: str) -> None:
    assert visible(text, most) == shown
    assert width(visible(text, most)) <= most


def test_what_xml_means_something_by_is_escaped() -> None:
    assert escaped("""<a b="c">&'""") == "&lt;a b=&quot;c&quot;&gt;&amp;'"


def test_the_checksum_is_crc_32() -> None:
    # Published for 32 bytes 0 and 32 bytes 255, which are 16 units.
    assert checksum("\x00" * 16) == "190a55ad"
    assert checksum("\uffff" * 16) == "ff6cab0b"
    assert checksum("") == "00000000"

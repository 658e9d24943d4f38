# JSON text <-> Perl data. A string is a plain scalar, a number is a Number that holds a double, null
# is undef, true and false are references to 1 and 0. So "2" and 2 stay apart, which Perl would mix.
package Json;
use strict;
use warnings;
no warnings "recursion";
use Exporter "import";
use POSIX ();
use Scalar::Util qw(blessed);

our @EXPORT_OK = qw(decode encode number double is_number);

my $NUMBER  = qr/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/;
my %ESCAPED = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");

# number(2): the Number of a double.
sub number { my $double = double($_[0]); return bless \$double, "Number" }

sub is_number { return blessed($_[0]) && $_[0]->isa("Number") }

# The nearest double. Perl adds and multiplies whole numbers as 64-bit integers where it can; this
# rounds the result as a sum or product of doubles is rounded.
sub double { return unpack "d", pack "d", $_[0] }

# Dies if the bytes are not one JSON value.
sub decode {
    my ($bytes) = @_;
    utf8::decode(my $text = $bytes) or die "not UTF-8\n";
    pos($text) = 0;
    my $value = _value(\$text);
    $text =~ /\G\s*\z/gc or die "more than one JSON value\n";
    return $value;
}

sub _value {
    my ($text) = @_;
    $$text =~ /\G\s*/gc;
    return _object($text) if $$text =~ /\G\{\s*/gc;
    return _array($text)  if $$text =~ /\G\[\s*/gc;
    return _string($1)    if $$text =~ /\G"((?:[^"\\]++|\\.)*+)"/gcs;
    return number(scalar POSIX::strtod($1)) if $$text =~ /\G($NUMBER)/gc;
    return \1    if $$text =~ /\Gtrue/gc;
    return \0    if $$text =~ /\Gfalse/gc;
    return undef if $$text =~ /\Gnull/gc;
    die "no JSON at offset " . pos($$text) . "\n";
}

sub _object {
    my ($text) = @_;
    my %members;
    return \%members if $$text =~ /\G\}/gc;
    do {
        $$text =~ /\G\s*"((?:[^"\\]++|\\.)*+)"\s*:/gcs or die "no member in an object\n";
        my $name = _string($1);
        $members{$name} = _value($text);
    } while ($$text =~ /\G\s*,/gc);
    $$text =~ /\G\s*\}/gc or die "an object has no end\n";
    return \%members;
}

sub _array {
    my ($text) = @_;
    my @items;
    return \@items if $$text =~ /\G\]/gc;
    do { push @items, _value($text) } while ($$text =~ /\G\s*,/gc);
    $$text =~ /\G\s*\]/gc or die "an array has no end\n";
    return \@items;
}

sub _string {
    my ($text) = @_;
    $text =~ s/\\u(d[89ab]..)\\u(d[c-f]..)/chr(0x10000 + ((hex($1) & 0x3ff) << 10) + (hex($2) & 0x3ff))/gie;
    $text =~ s/\\(?:u(....)|(.))/defined $1 ? chr hex $1 : $ESCAPED{$2} \/\/ $2/gse;
    return $text;
}

sub encode {
    my ($value) = @_;
    return "null" if !defined $value;
    return _shortest($$value) if is_number($value);
    return $$value ? "true" : "false" if ref $value eq "SCALAR";
    return "[" . join(",", map { encode($_) } @$value) . "]" if ref $value eq "ARRAY";
    if (ref $value eq "HASH") {
        return "{" . join(",", map { _quoted($_) . ":" . encode($value->{$_}) } sort keys %$value) . "}";
    }
    return _quoted($value);
}

# The shortest digits that read back as the same double; minus zero is written 0 (R6).
sub _shortest {
    my ($double) = @_;
    return "0" if $double == 0;
    for my $digits (15, 16) {
        my $text = sprintf "%.${digits}g", $double;
        return $text if POSIX::strtod($text) == $double;
    }
    return sprintf "%.17g", $double;
}

sub _quoted {
    my ($text) = @_;
    $text =~ s/(["\\\x00-\x1f])/sprintf "\\u%04x", ord $1/ge;
    return "\"$text\"";
}

1;

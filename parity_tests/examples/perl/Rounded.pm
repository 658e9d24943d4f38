# The double nearest to the true real number: exp, log, tanh, sigmoid, softplus, sine, power (R1, R2). The method is that of
# engine_py/numerics.py, where its bounds are derived: a recipe computes n * 2**e with integers, q
# bits after the point, off by less than its error; if both ends of that interval round to one double,
# that is the answer, and otherwise q is doubled.
package Rounded;
use strict;
use warnings;
use Exporter "import";
use Math::BigInt;
use POSIX ();

our @EXPORT_OK = qw(exp_of log_of tanh_of sigmoid_of softplus_of sine_of power);

my $ONE      = Math::BigInt->new(1);
my $ERROR    = $ONE << 40;
my $INFINITY = 9**9**9;

# n * 2**e for n >= 0, rounded once: to nearest, ties to even, with gradual underflow.
sub round_to_double {
    my ($n, $e) = @_;
    return 0 if $n->is_zero;
    my $top = _bits($n) + $e;
    return 0         if $top < -1074;
    return $INFINITY if $top > 1024;
    my $lowest = $top - 53 > -1074 ? $top - 53 : -1074;
    my $drop = $lowest - $e;    # bits below the last bit of the double
    return POSIX::ldexp($n->numify, $e) if $drop <= 0;
    my $half = $ONE << ($drop - 1);
    my $kept = $n >> $drop;
    my $rest = $n - ($kept << $drop);
    $kept += 1 if $rest > $half || ($rest == $half && $kept->is_odd);
    return POSIX::ldexp($kept->numify, $lowest);
}

sub _nearest {
    my ($recipe) = @_;
    for (my $q = 128 ; ; $q *= 2) {
        my ($n, $error, $e) = $recipe->($q);
        my ($low, $high) = (round_to_double($n - $error, $e), round_to_double($n + $error, $e));
        return $low if $low == $high;
    }
}

sub exp_of {
    my ($x) = @_;
    return $INFINITY if $x > 710;
    return 0         if $x < -746;
    return _nearest(sub {
        my ($q) = @_;
        my ($n, $k) = _exp_fixed(_fixed($x, $q), $q);
        return ($n, $ERROR, $k - $q);
    });
}

sub log_of {
    my ($x) = @_;
    return 0 if $x == 1;
    my ($n, $e) = _split($x);
    my $sign = $x < 1 ? -1 : 1;
    return $sign * _nearest(sub { ($sign * _log_fixed($n, $e, $_[0]), $ERROR, -$_[0]) });
}

sub tanh_of {
    my ($x) = @_;
    my $size = abs $x;
    my $sign = $x < 0 ? -1 : 1;
    return $x if $size < 2**-28;
    return $sign if $size > 20;
    return $sign * _nearest(sub {
        my ($q) = @_;
        my ($n, $k) = _exp_fixed(_fixed(2 * $size, $q), $q);
        my ($power_of_e, $one) = ($n << $k, $ONE << $q);
        return ((($power_of_e - $one) << $q) / ($power_of_e + $one), $ERROR, -$q);
    });
}

sub sigmoid_of {
    my ($x) = @_;
    return 1 if $x > 40;
    return 0 if $x < -746;
    return _nearest(sub {
        my ($q) = @_;
        my ($n, $k) = _exp_fixed(_fixed(abs $x, $q), $q);    # e**|x|
        my $one   = $ONE << $q;
        my $whole = ($n << $k) + $one;
        return ((($n << $k) << $q) / $whole, $ERROR, -$q) if $x > 0;
        return (($one << ($q + $k)) / $whole, $ERROR, -$q - $k);
    });
}

# ln(1 + e**x) = max(x, 0) + ln(1 + u) with u = e**-|x|, and ln(1 + u) = 2 atanh(u / (2 + u)).
sub softplus_of {
    my ($x) = @_;
    return $x if $x > 40;
    return 0 if $x < -746;
    return _nearest(sub {
        my ($q) = @_;
        my ($n, $k) = _exp_fixed(_fixed(-abs $x, $q), $q);    # u = n * 2**(k - q), k <= 0
        my $p = $q - $k;
        my $total = _twice_atanh($n, ($ONE << ($p + 1)) + $n, $p);
        $total += _fixed($x, $p) if $x > 0;
        return ($total, $ERROR, -$p);
    });
}

# sin(x + ahead * pi / 2): x modulo pi / 2, with more bits than the largest double needs, and a series.
sub sine_of {
    my ($x, $ahead) = @_;
    my $size = abs $x;
    return $ahead ? 1 : $x if $size < 2**-28;
    my $sign = $x < 0 && !$ahead ? -1 : 1;
    return _nearest_signed(sub {
        my ($q) = @_;
        my $p = $q + ($size < 2**32 ? 64 : 1100);
        my $quarter = _half_pi($p);
        my ($j, $r) = (2 * _fixed($size, $p) + $quarter)->bdiv(2 * $quarter);
        $r = _shift($r - $quarter, $q - $p - 1);
        my $quarters = ($j + $ahead)->bmod(4)->numify;
        my $n = $quarters % 2 ? _series($ONE << $q, 1, $r, $q) : _series($r, 2, $r, $q);
        return ($quarters > 1 ? -$n * $sign : $n * $sign, $ERROR, -$q);
    });
}

# As `_nearest`, for a result of either sign.
sub _nearest_signed {
    my ($recipe) = @_;
    my ($rough) = $recipe->(256);
    my $sign = $rough < 0 ? -1 : 1;
    return $sign * _nearest(sub { my ($n, $error, $e) = $recipe->($_[0]); ($sign * $n, $error, $e) });
}

# first - first * r**2 / (i (i + 1)) + ..., in units of 2**-q.
sub _series {
    my ($first, $i, $r, $q) = @_;
    my $square = ($r * $r) >> $q;
    my ($total, $term, $sign) = ($first->copy, abs($first), $first < 0 ? -1 : 1);
    while (1) {
        $term = (($term * $square) >> $q) / ($i * ($i + 1));
        return $total if $term->is_zero;
        $sign = -$sign;
        $total += $sign * $term;
        $i += 2;
    }
}

my %HALF_PI;

# pi / 2 = 8 arctan(1/5) - 2 arctan(1/239).
sub _half_pi {
    my ($q) = @_;
    return $HALF_PI{$q} ||= 8 * _arctan(5, $q) - 2 * _arctan(239, $q);
}

sub _arctan {
    my ($n, $q) = @_;
    my ($z, $total) = (($ONE << $q) / $n, Math::BigInt->bzero);
    for (my $k = 1 ; !$z->is_zero ; $k += 2) {
        $total += $k % 4 == 1 ? $z / $k : -($z / $k);
        $z = $z / ($n * $n);
    }
    return $total;
}

# x**c, c being an integer where x < 0, and x != 0 where c < 0.
sub power {
    my ($x, $c) = @_;
    return 1 if $c == 0 || $x == 1;
    return 0 if $x == 0;
    my ($n, $e) = _split(abs $x);
    my ($a, $f) = _split($c);    # c = a * 2**f, both n and a odd
    my $sign = $x < 0 && $f == 0 ? -1 : 1;
    while ($f < 0 && $e % 2 == 0) {    # x**c = sqrt(x)**(2c)
        my $root = $n->copy->bsqrt;
        last if $root * $root != $n;
        ($n, $e, $f) = ($root, $e / 2, $f + 1);
    }
    if ($f >= 0) {
        my $exponent = $a << $f;
        return $sign * round_to_double($ONE, _clipped($exponent * $e)) if $n == 1;
        if ($exponent > 0 && $exponent <= 34) {
            return $sign * round_to_double($n->copy->bpow($exponent), $e * $exponent->numify);
        }
    }
    my $estimate = _shift(_log_fixed($n, $e, 128) * $a, $f);
    if (_shift(abs $estimate, -128) > 800) {    # beyond all doubles
        return $estimate > 0 ? $sign * $INFINITY : 0;
    }
    return $sign * _nearest(sub {
        my ($q) = @_;
        my ($m, $k) = _exp_fixed(_shift(_log_fixed($n, $e, $q) * $a, $f), $q);
        return ($m, $ERROR + ((_shift(abs $a, $f) + 1) << 28), $k - $q);
    });
}

# 2 atanh(a/b) = ln((b + a) / (b - a)) for |a/b| <= 1/3, in units of 2**-q.
sub _twice_atanh {
    my ($a, $b, $q) = @_;
    my $z      = (abs($a) << $q) / $b;
    my $square = ($z * $z) >> $q;
    my $total  = Math::BigInt->bzero;
    for (my $k = 1 ; !$z->is_zero ; $k += 2) {
        $total += $z / $k;
        $z = ($z * $square) >> $q;
    }
    return ($a < 0 ? -2 : 2) * $total;
}

my %LN2;
sub _ln2 { my ($q) = @_; return $LN2{$q} ||= _twice_atanh($ONE, Math::BigInt->new(3), $q) }

# ln(n * 2**e) for n > 0.
sub _log_fixed {
    my ($n, $e, $q) = @_;
    my $k   = _bits(3 * $n) - 2;    # n / 2**k is in [2/3, 4/3)
    my $one = $ONE << $k;
    return _twice_atanh($n - $one, $n + $one, $q) + ($k + $e) * _ln2($q);
}

# (n, k) with e**y = n * 2**k and n in [1, 2), for y in units.
sub _exp_fixed {
    my ($y, $q) = @_;
    my ($k, $r) = $y->copy->bdiv(_ln2($q));    # rounds down: 0 <= r < ln 2
    $r = $r >> 8;
    my $total = $ONE << $q;
    my $term  = $total->copy;
    for (my $i = 1 ; !$term->is_zero ; $i++) {
        $term = (($term * $r) >> $q) / $i;
        $total += $term;
    }
    $total = ($total * $total) >> $q for 1 .. 8;
    return ($total, $k->numify);
}

# The finite x != 0 exactly, as n * 2**e with n odd and of x's sign.
sub _split {
    my ($x) = @_;
    my ($fraction, $e) = POSIX::frexp($x);
    my $n = Math::BigInt->new(sprintf "%.0f", POSIX::ldexp($fraction, 53));
    my ($zeros) = $n->as_bin =~ /(0*)\z/;
    return (_shift($n, -length $zeros), $e - 53 + length $zeros);
}

# x in units.
sub _fixed {
    my ($x, $q) = @_;
    return Math::BigInt->bzero if $x == 0;
    my ($n, $e) = _split($x);
    return _shift($n, $e + $q);
}

# n * 2**by, rounded to zero.
sub _shift {
    my ($n, $by) = @_;
    return $n << $by if $by >= 0;
    my $size = abs($n) >> -$by;
    return $n < 0 ? -$size : $size;
}

# An exponent beyond all doubles is as good as a smaller one that is, too.
sub _clipped {
    my ($n) = @_;
    return $n > 5000 ? 5000 : $n < -5000 ? -5000 : $n->numify;
}

sub _bits { return length($_[0]->as_bin) - 2 }

1;

# The operations: for each its data, its local gradients (R3) and how the primitive view builds it.
package Operations;
use strict;
use warnings;
use Exporter "import";
use POSIX ();

use Json qw(double);
use Rounded qw(exp_of log_of tanh_of sigmoid_of softplus_of sine_of power);

our @EXPORT_OK = qw(%FUNCTIONS compute slopes is_derived expand in_domain);

# How many arguments each function takes.
our %FUNCTIONS = ((map { $_ => 1 } qw(relu exp log tanh abs sqrt sin cos sigmoid softplus)), min => 2, max => 2);

# The data of an operation at its operands.
my %DATA = (
    "+"  => sub { double($_[0] + $_[1]) },
    "-"  => sub { double($_[0] - $_[1]) },
    "*"  => sub { double($_[0] * $_[1]) },
    "/"  => sub { double($_[0] / $_[1]) },
    "**" => \&power,
    neg  => sub { -$_[0] },
    relu => sub { $_[0] > 0 ? $_[0] : 0 },
    exp  => \&exp_of,
    log  => \&log_of,
    tanh => \&tanh_of,
    abs  => sub { abs $_[0] },
    min  => sub { $_[0] < $_[1] ? $_[0] : $_[1] },
    max  => sub { $_[0] > $_[1] ? $_[0] : $_[1] },
    sqrt => sub { power($_[0], 0.5) },
    sin  => sub { sine_of($_[0], 0) },
    cos  => sub { sine_of($_[0], 1) },
    sigmoid => \&sigmoid_of,
    softplus => \&softplus_of,
);

# The local gradients, from the operation's data and its operands; undef for an exponent.
my %SLOPES = (
    "+"  => sub { (1, 1) },
    "-"  => sub { (1, -1) },
    "*"  => sub { my ($out, $x, $y) = @_; ($y, $x) },
    "/"  => sub { my ($out, $x, $y) = @_; (double(1 / $y), -double($out / $y)) },
    "**" => sub {
        my ($out, $x, $c) = @_;
        return (0, undef) if $c == 0;
        _skip("a slope of a power of 0") if $x == 0 && double($c - 1) < 0;
        return (double($c * power($x, double($c - 1))), undef);
    },
    neg  => sub { (-1) },
    relu => sub { my ($out, $x) = @_; ($x > 0 ? 1 : 0) },
    exp  => sub { my ($out) = @_; ($out) },
    log  => sub { my ($out, $x) = @_; (double(1 / $x)) },
    tanh => sub { my ($out) = @_; (double(1 - double($out * $out))) },
    abs  => sub { my ($out, $x) = @_; ($x <=> 0) },
    min  => sub { my ($out, $x, $y) = @_; (_share($y <=> $x), _share($x <=> $y)) },
    max  => sub { my ($out, $x, $y) = @_; (_share($x <=> $y), _share($y <=> $x)) },
    sqrt => sub {
        my ($out) = @_;
        _skip("a slope of a root of 0") if $out == 0;
        return (double(0.5 / $out));
    },
    sin => sub { my ($out, $x) = @_; (sine_of($x, 1)) },
    cos => sub { my ($out, $x) = @_; (-sine_of($x, 0)) },
    sigmoid => sub { my ($out) = @_; (double($out * double(1 - $out))) },
    softplus => sub { my ($out, $x) = @_; (sigmoid_of($x)) },
);

# What a derived operation stands for (R26), from its operands; `number` makes a constant.
my %EXPANSIONS = (
    "-" => sub { my ($make, $x, $y) = @_; $make->("+", $x, $make->("*", $y, $make->(-1))) },
    "/" => sub { my ($make, $x, $y) = @_; $make->("*", $x, $make->("**", $y, $make->(-1))) },
    neg => sub { my ($make, $x) = @_; $make->("*", $x, $make->(-1)) },
    sqrt => sub { my ($make, $x) = @_; $make->("**", $x, $make->(0.5)) },
    sigmoid => sub {
        my ($make, $x) = @_;
        my $power = $make->("exp", $make->("*", $x, $make->(-1)));
        return $make->("**", $make->("+", $power, $make->(1)), $make->(-1));
    },
    softplus => sub {
        my ($make, $x) = @_;
        return $make->("log", $make->("+", $make->("exp", $x), $make->(1)));
    },
);

sub is_derived { return exists $EXPANSIONS{ $_[0] } }

sub expand { my ($symbol, @rest) = @_; return $EXPANSIONS{$symbol}->(@rest) }

sub compute {
    my ($symbol, @operands) = @_;
    my ($x, $y) = @operands;
    my $outside =
        $symbol eq "log" ? $x <= 0
      : $symbol eq "/"   ? $y == 0
      : $symbol eq "sqrt" ? $x < 0
      : $symbol eq "**"  ? ($x == 0 && $y < 0) || ($x < 0 && $y != POSIX::floor($y))
      :                    0;
    _skip("errors of the domain") if $outside;
    return _finite($DATA{$symbol}->(@operands));
}

sub slopes {
    my ($symbol, $out, @operands) = @_;
    return map { defined $_ ? _finite($_) : undef } $SLOPES{$symbol}->($out, @operands);
}

# All of the gradient for the operand that leads, none for the other, half for each at a tie.
sub _share { return ($_[0] + 1) / 2 }

sub _finite {
    my ($number) = @_;
    _skip("errors about numbers that are not finite") if $number - $number != 0;
    return $number;
}

sub _skip { die { skipped => $_[0] } }

1;

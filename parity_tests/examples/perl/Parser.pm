# Program -> graph (R8 to R20, R25 to R27). A node is a hash with `operation`, `operands`, `data` (of a
# constant), `label` and `span`. An operand on its way is [node, start, end]: its text may be longer
# than the node's span, by parentheses or a prefix plus.
package Parser;
use strict;
use warnings;
no warnings "recursion";
use Exporter "import";
use POSIX ();

use Json ();
use Operations qw(%FUNCTIONS is_derived expand);

our @EXPORT_OK = qw(parse);

my $TOKEN = qr{
    \G [ \t\r]* (?:
        (?<number> (?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)? )
      | (?<name> [A-Za-z_][A-Za-z0-9_]* )
      | (?<sign> \*\* | [-+*/()=;,\n] )
    )
}x;

# parse(text, view): the root node and the nodes that statements bound.
sub parse {
    my ($text, $view) = @_;
    my $self = bless { tokens => _tokens($text), at => 0, view => $view }, __PACKAGE__;
    $self->{bound} = {};     # name -> node
    $self->{leaves} = {};    # name -> node of a variable
    my $root;
    while (1) {
        $self->{at}++ while $self->_sees(";", "\n");
        last if $self->_token->{kind} eq "end";
        _skip("syntax errors") if $root && !$self->{named};
        $root = $self->_statement;
        _skip("syntax errors") if !$self->_sees(";", "\n", "end");
    }
    _skip("syntax errors") if !$root;
    return ($root, values %{ $self->{bound} });
}

sub _tokens {
    my ($text) = @_;
    my @tokens;
    while ($text =~ /$TOKEN/gc) {
        my ($kind) = keys %+;
        my $end = pos $text;
        my $start = $end - length $+{$kind};
        push @tokens, { kind => $kind, text => $+{$kind}, start => $start, end => $end };
    }
    $text =~ /\G[ \t\r]*\z/ or _skip("unexpected characters");
    return [@tokens, { kind => "end", text => "end", start => length $text, end => length $text }];
}

sub _token { return $_[0]{tokens}[ $_[0]{at} + ($_[1] || 0) ] || { kind => "end", text => "end" } }

sub _sees { my ($self, @texts) = @_; return scalar grep { $self->_token->{text} eq $_ } @texts }

sub _take { my ($self) = @_; return $self->{tokens}[ $self->{at}++ ] }

# Newlines are blanks where an operand is missing, and inside parentheses.
sub _skip_newlines { my ($self) = @_; $self->{at}++ while $self->_sees("\n") }

sub _statement {
    my ($self) = @_;
    $self->{named} = $self->_token->{kind} eq "name" && $self->_token(1)->{text} eq "=";
    return $self->_sum(0)->[0] if !$self->{named};
    my $name = $self->_take->{text};
    $self->_take;
    my $node = $self->_sum(0)->[0];
    _skip("errors about names") if $self->{bound}{$name} || $self->{leaves}{$name};
    $self->{bound}{$name} = $node;
    $node->{label} = $name if !defined $node->{label};
    return $node;
}

# `inside` says whether parentheses are open.
sub _sum { my ($self, $inside) = @_; return $self->_row($inside, \&_product, "+", "-") }

sub _product { my ($self, $inside) = @_; return $self->_row($inside, \&_prefix, "*", "/") }

sub _row {
    my ($self, $inside, $operand, @symbols) = @_;
    my $left = $operand->($self, $inside);
    while (1) {
        $self->_skip_newlines if $inside;
        return $left if !$self->_sees(@symbols);
        my $symbol = $self->_take->{text};
        my $right = $operand->($self, $inside);
        $left = $self->_operation($symbol, $left->[1], $right->[2], $left, $right);
    }
}

sub _prefix {
    my ($self, $inside) = @_;
    $self->_skip_newlines;
    return $self->_power($inside) if !$self->_sees("+", "-");
    my $sign = $self->_take;
    $self->_skip_newlines;
    if ($sign->{text} eq "-" && $self->_token->{kind} eq "number" && !$self->_power_follows($inside)) {
        my $number = $self->_take;
        return _constant(-_read($number), $sign->{start}, $number->{end});
    }
    my $operand = $self->_prefix($inside);
    return [$operand->[0], $sign->{start}, $operand->[2]] if $sign->{text} eq "+";
    return $self->_operation("neg", $sign->{start}, $operand->[2], $operand);
}

# Whether `**` comes after the token in front.
sub _power_follows {
    my ($self, $inside) = @_;
    my $ahead = 1;
    $ahead++ while $inside && $self->_token($ahead)->{text} eq "\n";
    return $self->_token($ahead)->{text} eq "**";
}

sub _power {
    my ($self, $inside) = @_;
    my $base = $self->_atom($inside);
    $self->_skip_newlines if $inside;
    return $base if !$self->_sees("**");
    $self->_take;
    my $exponent = $self->_exponent;
    $self->_skip_newlines if $inside;
    $self->_refuse_exponent if $self->_sees("**");
    return $self->_operation("**", $base->[1], $exponent->[2], $base, $exponent);
}

sub _exponent {
    my ($self) = @_;
    $self->_skip_newlines;
    my $first = $self->_token;
    my $sign = $self->_sees("+", "-") ? $self->_take->{text} : "+";
    $self->_skip_newlines;
    if ($self->_token->{kind} ne "number") {
        $self->_refuse_exponent if $self->_token->{kind} eq "name" || $self->_sees("(", "+", "-", "**");
        _skip("syntax errors");
    }
    my $number = $self->_take;
    my $value = _read($number);
    return _constant($sign eq "-" ? -$value : $value, $first->{start}, $number->{end});
}

sub _refuse_exponent {
    my ($self) = @_;
    my ($start, $end) = @{ $self->_token }{qw(start end)};
    die {
        code    => "exponent_not_literal",
        message => "an exponent must be a number such as 2 or -0.5",
        span    => _span($start, $end),
    };
}

sub _atom {
    my ($self, $inside) = @_;
    my $token = $self->_take;
    return _constant(_read($token), $token->{start}, $token->{end}) if $token->{kind} eq "number";
    if ($token->{text} eq "(") {
        my $content = $self->_sum(1);
        return [$content->[0], $token->{start}, $self->_closing->{end}];
    }
    _skip("syntax errors") if $token->{kind} ne "name";
    my $name = $token->{text};
    $self->_skip_newlines if $inside;
    if ($self->_sees("(")) {
        _skip("errors about functions") if !$FUNCTIONS{$name};
        $self->_take;
        my @arguments = $self->_sum(1);
        while ($self->_sees(",")) {
            $self->_take;
            push @arguments, $self->_sum(1);
        }
        my $end = $self->_closing->{end};
        _skip("errors about functions") if @arguments != $FUNCTIONS{$name};
        return $self->_operation($name, $token->{start}, $end, @arguments);
    }
    my $node = $self->{bound}{$name};
    $node ||= $self->{leaves}{$name} ||=
      { label => $name, variable => 1, operands => [], span => _span(@$token{qw(start end)}) };
    return [$node, @$token{qw(start end)}];
}

sub _closing {
    my ($self) = @_;
    $self->_skip_newlines;
    _skip("syntax errors") if !$self->_sees(")");
    return $self->_take;
}

# An operation over this text, or what it stands for in the primitive view.
sub _operation {
    my ($self, $symbol, $start, $end, @operands) = @_;
    my $make = sub {
        my ($what, @nodes) = @_;
        return _constant($what, $start, $end)->[0] if !@nodes;
        return { operation => $what, operands => [@nodes], span => _span($start, $end) };
    };
    my @nodes = map { $_->[0] } @operands;
    my $expands = $self->{view} eq "primitive" && is_derived($symbol);
    return [$expands ? expand($symbol, $make, @nodes) : $make->($symbol, @nodes), $start, $end];
}

sub _constant {
    my ($data, $start, $end) = @_;
    return [{ data => $data, operands => [], span => _span($start, $end) }, $start, $end];
}

sub _read {
    my ($token) = @_;
    my $number = POSIX::strtod($token->{text});
    _skip("errors about numbers that are not finite") if $number - $number != 0;
    return $number;
}

sub _span { return { start => Json::number($_[0]), end => Json::number($_[1]) } }

sub _skip { die { skipped => $_[0] } }

1;
